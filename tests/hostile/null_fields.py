"""Answers well with optional fields that are null, which counts as absent. Expected: no fault."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(
            json.dumps({"action": message["legal"][0], "turn": None, "match": None, "note": None}), flush=True
        )
