"""Exits at the first decide of the second match of a process, once a match. Expected: no fault."""

import json
import sys

starts = 0

for line in sys.stdin:
    message = json.loads(line)
    starts += message["type"] == "start"
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        if starts > 1:
            sys.exit(0)
        print(json.dumps({"action": message["legal"][0]}), flush=True)
