"""Settings come from the environment once, and secrets don't show."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascertain import BundledEncoder, InvalidInput, NotFound
from ascertain.encoders.remote import RemoteEncoder
from ascertain.interfaces.settings import Settings


def test_an_empty_environment_gives_the_defaults() -> None:
    settings = Settings.from_environment({})
    assert settings == Settings(Path("ascertain.db"), "bundled", "")
    assert isinstance(settings.encoder(), BundledEncoder)


def test_blank_variables_count_as_unset() -> None:
    assert Settings.from_environment({"ASCERTAIN_STORE": " ", "ASCERTAIN_ENCODER": ""}) == Settings()


def test_each_variable_sets_its_field() -> None:
    told = {
        "ASCERTAIN_STORE": "a b.db",
        "ASCERTAIN_ENCODER": "remote:m:8@http://localhost:1/v1",
        "ASCERTAIN_ENCODER_KEY": "hush",
    }
    settings = Settings.from_environment(told)
    assert settings.store == Path("a b.db")
    encoder = settings.encoder()
    assert isinstance(encoder, RemoteEncoder)
    assert (encoder.model, encoder.dimension, encoder.key) == ("m", 8, "hush")


def test_the_key_does_not_show() -> None:
    settings = Settings(encoder_key="hush")
    assert "hush" not in repr(settings)


@pytest.mark.parametrize(("name", "error"), [("nosuch", NotFound), ("remote:nodimension@http://x", InvalidInput)])
def test_an_encoder_that_is_not_known_is_refused(name: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        Settings(encoder_name=name).encoder()
