"""The companion panel for the draw-grid variant and the classic games: rules, tables, wire and
robots."""

__version__ = "0.3.0"
