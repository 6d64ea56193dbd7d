"""How properties are tested everywhere."""

from hypothesis import settings

# A deadline asserts speed, which a busy machine decides.
settings.register_profile("ascertain", deadline=None)
settings.load_profile("ascertain")
