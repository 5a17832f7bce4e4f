"""The parts of one table: its log, its views, who is connected."""
