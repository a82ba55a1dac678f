"""Answers well with a type and other fields that the runner does not know. Expected: no fault."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(
            json.dumps({"type": "answer", "action": message["legal"][0], "seat": None, "legal": {"x": [1]}}),
            flush=True,
        )
