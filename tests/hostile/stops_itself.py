"""Stops itself with SIGSTOP at its first decide. Expected: timeout."""

import json
import os
import signal
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        os.kill(os.getpid(), signal.SIGSTOP)
