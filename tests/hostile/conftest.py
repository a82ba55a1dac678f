"""Keeps pytest from importing the programs of this folder, which would run them."""

collect_ignore_glob = ["*.py"]
