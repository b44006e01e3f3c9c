import os
import signal

from hypothesis import HealthCheck, settings

from tests.compiled import keep_in_the_checkout

keep_in_the_checkout()

settings.register_profile("local", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("local"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # so a suite in the background hands it on to what it starts
    signal.signal(signal.SIGINT, signal.default_int_handler)
