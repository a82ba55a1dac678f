"""Sends SIGKILL to its whole process group at its first decide. Expected: crash."""

import json
import os
import signal
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        os.killpg(0, signal.SIGKILL)
