"""What a robot needs for any game: a server, a line to it, a temper, and a loop that talks."""
