"""Forks a child that leaves session, group, parent and pipes; plays well. Expected: no fault."""

import json
import os
import sys
import time

if (middle := os.fork()) == 0:
    os.setsid()
    if (daemon := os.fork()) == 0:
        os.closerange(0, 256)
        time.sleep(600)
    else:
        print(json.dumps({"children": [daemon]}), file=sys.stderr, flush=True)
    os._exit(0)
os.waitpid(middle, 0)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)
