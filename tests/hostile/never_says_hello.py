"""Runs and says nothing.

given up: no hello within 300 ms
limits: start_ms=300
"""

import time

time.sleep(1000)
