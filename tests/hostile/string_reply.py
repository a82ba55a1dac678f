"""Answers with the action alone, as a JSON string. Expected: bad_reply."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps(message["legal"][0]), flush=True)
