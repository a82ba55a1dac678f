"""Writes a second line behind each answer, in a write of its own that may be late. Expected: unasked."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)
        print("that was easy", flush=True)
