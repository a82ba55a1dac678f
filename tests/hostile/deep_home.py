"""Nests thousands of folders in its HOME, and a link out of it; plays well. Expected: no fault."""

import json
import os
import sys

deep = os.open(os.environ["HOME"], os.O_RDONLY)
for _ in range(3_000):
    os.mkdir("d", dir_fd=deep)
    deeper = os.open("d", os.O_RDONLY, dir_fd=deep)
    os.close(deep)
    deep = deeper
os.symlink("/", "out", dir_fd=deep)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)
