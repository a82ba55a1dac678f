"""Answers and exits at once: that answer counts, the next is missing. Expected: crash."""

import json
import os
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        os.write(1, json.dumps({"action": message["legal"][0]}).encode() + b"\n")
        os._exit(0)
