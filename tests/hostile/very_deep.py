"""Answers with 100,000 levels, or as many as line_bytes has room for. Expected: bad_json."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        levels = min(100_000, message["limits"]["line_bytes"] // 2 - 50)
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        action, tree = json.dumps(message["legal"][0]), "[" * levels + "]" * levels
        print(f'{{"action": {action}, "tree": {tree}}}', flush=True)
