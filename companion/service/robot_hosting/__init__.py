"""The server's own robots: which seats they take, and the process in which they play."""
