"""What robots are called."""

NAMES = (
    "Axle", "Beep", "Clank", "Dot", "Élan", "Fizz", "Gadget", "Hex", "Ion", "Jolt", "Kilo",
    "Lumen", "Mega", "Nibble", "Ohm", "Pixel", "Quirk", "Rivet", "Sprocket", "Tinker",
    "Unit", "Volt", "Widget", "Xeno", "Yoyo", "Zip",
)  # fmt: skip
"""Élan stands where an Elan would (ruling alphabetical-order)."""
