"""Says ready and never reads a byte of stdin. Expected: timeout."""

import time

print('{"type": "ready"}', flush=True)
time.sleep(600)
