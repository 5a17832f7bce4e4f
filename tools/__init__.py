"""Tools for the project itself: builds, generated pages, benchmarks. Not part of the program."""
