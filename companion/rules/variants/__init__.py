"""Variants: their data, their files, and the house rules that change them."""
