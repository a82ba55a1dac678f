"""Answers once and exits a moment later, while nothing is due. Expected: crash."""

import json
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)
        time.sleep(0.02)
        sys.exit(0)
