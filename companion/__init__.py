"""The companion panel for the draw-grid variant: rules, tables, wire and robots."""

__version__ = "0.3.0"
