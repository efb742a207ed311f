"""Settings of the server, from the command line, the environment (UPCARD_...) or upcard.toml, in this order."""

import os
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, model_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from upcard.problems import BadRequest
from upcard.service.cage import MOST_AT_ONCE
from upcard.workers.hold import Skill

FILE = "upcard.toml"
_PREFIX = "UPCARD_"
_RENAMED = {
    "requests_a_minute": "requests_per_minute",
    "sign_ins_a_minute": "sign_ins_per_minute",
    "messages_a_second": "messages_per_second",
    "sockets_a_person": "sockets_per_person",
    "behind": "outbox_limit",
    "come_back": "reconnect_seconds",
}


def _folders(value: object) -> object:
    """One folder, several as in PATH, or a list."""
    return tuple(filter(None, value.split(os.pathsep))) if isinstance(value, str) else value


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix=_PREFIX, toml_file=FILE, extra="forbid", frozen=True)

    book: str = "upcard.db"
    catalog: Annotated[tuple[Path, ...], NoDecode, BeforeValidator(_folders)] = ()  # workspaces
    key: Path | None = None  # the operator's key; by default beside a SQLite book
    checkpoints: Path | None = None  # the folder of checkpoints; by default beside the key
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    demo: bool = False  # guests get play money; reachable from this machine only
    demo_chips: int = Field(default=1_000_00, gt=0, le=MOST_AT_ONCE)  # a guest's first chips, in cents
    demo_pace: float = Field(default=0.6, ge=0, le=60)  # seconds between two actions of the demo's bots
    cage_code_above: int = Field(default=3_000_00, ge=0)  # cents that change hands at once without a one-time code
    cage_two_people_above: int = Field(default=10_000_00, ge=0)  # cents that one person may hand over at once
    post_two_people_above: int = Field(default=25_000_00, ge=0)  # cents of a jackpot that one person may post
    pay_two_people_above: int = Field(default=0, ge=0)  # cents of a win that its payer may pay without an approval
    large_win: int = Field(default=2_500_00, gt=0)  # cents paid to a player in one round, from which it is an alert
    hints: bool = True  # players may ask for the expected value of their choices
    assumed_skill: Skill = "best"  # how well players play, for the expected win: best, chart or typical
    origins: tuple[str, ...] = ()  # the pages' own origins, like https://felt.example
    proxies: tuple[str, ...] = ()  # proxies whose X-Forwarded headers are trusted
    clock_limit_seconds: int = Field(default=300, gt=0)  # how far the machine's clock may be from the service's
    time_from_book: bool = False  # time continues from the last record, if that is ahead of the machine's clock
    metrics_token: str = ""  # a client that sends it may read /metrics
    log: str = Field(default="console", pattern="^(console|json)$")
    requests_per_minute: int = Field(default=600, gt=0)  # per client address, and per person who is signed in
    sign_ins_per_minute: int = Field(default=40, gt=0)  # staff need two: the page asks for a code after the password
    refusals_per_minute: int = Field(default=60, gt=0)  # per person, kept one by one; more are only counted
    connections: int = Field(default=4000, ge=16)  # open at once, of everybody
    connections_reserved: int = Field(default=1000, ge=0)  # of these, for people who are signed in
    connections_per_address: int = Field(default=64, gt=0)  # of clients that are not signed in
    header_seconds: float = Field(default=10, gt=0)  # in which a request's headers must arrive
    body_seconds: float = Field(default=30, gt=0)  # in which its body must follow
    read_seconds: float = Field(default=30, gt=0)  # in which a client must read its answer
    idle_seconds: int = Field(default=30, gt=0)  # between two requests on one connection
    messages_per_second: int = Field(default=20, gt=0)  # per socket, on average
    message_bytes: int = Field(default=16_384, gt=0)
    reconnect_seconds: float = Field(default=60, ge=0)  # seconds after a start in which seated players may reconnect
    sockets_per_person: int = Field(default=8, gt=0)
    outbox_limit: int = Field(default=256, gt=0)  # messages that may wait for a slow client before it is disconnected
    lab_rounds: int = Field(default=100_000_000, gt=0)  # per simulation
    lab_seconds: int = Field(default=60, gt=0)  # per simulation, once it runs
    lab_simulations: int = Field(default=2, gt=0)  # per person, waiting or running
    lab_waiting: int = Field(default=16, gt=0)  # in the queue, of all people

    @model_validator(mode="before")
    @classmethod
    def _refuse_old_names(cls, settings: dict[str, object]) -> dict[str, object]:
        old = [name for name in _RENAMED if name in settings or f"{_PREFIX}{name}".upper() in os.environ]
        if old:
            renamed = ", ".join(f"{name} is now {_RENAMED[name]}" for name in old)
            raise BadRequest(f"rename these settings in {FILE} or the environment: {renamed}")
        return settings

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the library's signature
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls), file_secret_settings

    @property
    def secure(self) -> bool:
        """Whether pages are served over TLS; a demo is not."""
        return not self.demo
