"""A child burns CPU all the time, also between its turns; answers well. Expected: no fault."""

import json
import os
import sys

bot = os.getpid()
if os.fork() == 0:
    while os.getppid() == bot:
        pass
    os._exit(0)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)
