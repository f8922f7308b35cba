"""Never ends when it is imported.

exercise: ScaledDotProduct
safe: it is ended when its time is up
"""

import time

while True:
    time.sleep(3600)
