"""The server's own robots: when they take and leave seats, and the process in which they play."""
