"""Answers well, but in a write of its own for every byte. Expected: no fault."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        for letter in json.dumps({"action": message["legal"][0]}) + "\n":
            print(letter, end="", flush=True)
