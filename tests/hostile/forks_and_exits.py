"""Forks two children that hold its pipes and sleep, then exits at a decide. Expected: crash."""

import json
import os
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        children = []
        for _ in range(2):
            if (child := os.fork()) == 0:
                time.sleep(600)
                os._exit(0)
            children.append(child)
        print(json.dumps({"children": children}), file=sys.stderr, flush=True)
        os._exit(0)
