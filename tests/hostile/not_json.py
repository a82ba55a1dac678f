"""Answers with the bare word of an action. Expected: bad_json."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(message["legal"][0], flush=True)
