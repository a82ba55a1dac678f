"""Answers with a string of escaped quotes that never ends, as long as a line may be. Expected: bad_json."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        line_bytes = message["limits"]["line_bytes"]
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print('{"action": "'.ljust(line_bytes - 1, "x").replace("xx", '\\"'), flush=True)
