"""Forks a child that keeps its pipes and sleeps, and plays well. Expected: no fault."""

import json
import os
import sys
import time

if (child := os.fork()) == 0:
    time.sleep(600)
    os._exit(0)
print(json.dumps({"children": [child]}), file=sys.stderr, flush=True)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)
