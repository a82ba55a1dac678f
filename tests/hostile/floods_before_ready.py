"""Prints lines for ever instead of saying ready. Expected: startup."""

while True:
    print("loading the opening book ...", flush=True)
