"""Answers with 65 levels, its own braces the first of them. Expected: bad_json."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        action, tree = json.dumps(message["legal"][0]), "[" * 64 + "]" * 64
        print(f'{{"action": {action}, "tree": {tree}}}', flush=True)
