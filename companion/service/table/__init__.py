"""The parts of one table: its log, its views, its alarms and its connections."""
