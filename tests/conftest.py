"""What holds for all tests."""

from hypothesis import settings

# A test never depends on how fast the machine is.
settings.register_profile("arena", deadline=None)
settings.load_profile("arena")
