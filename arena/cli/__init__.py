"""The command line: each command parses, calls the library, and prints; nothing is decided here."""
