"""How the server runs: from the environment (UPCARD_...), from a file, or said on the command line."""

from pathlib import Path

from pydantic import Field, JsonValue
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

FILE = "upcard.toml"


class Settings(BaseSettings):
    """Every setting with its default."""

    model_config = SettingsConfigDict(env_prefix="UPCARD_", toml_file=FILE, extra="forbid", frozen=True)

    book: str = "upcard.db"
    key: Path | None = None  # the operator's key; beside a book that is a file
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    demo: bool = False  # guests get play money; only on this machine
    demo_chips: int = Field(default=1_000_00, gt=0)  # what a guest gets, in cents
    demo_pace: float = Field(default=0.6, ge=0, le=60)  # seconds between two things the bots of a demo say
    hints: bool = True  # players may ask what their choices are worth
    origins: tuple[str, ...] = ()  # addresses the pages are served under, like https://felt.example
    proxies: tuple[str, ...] = ()  # whose X-Forwarded headers are believed
    metrics_token: str = ""  # whoever shows it may read /metrics
    log: str = Field(default="console", pattern="^(console|json)$")
    requests_a_minute: int = Field(default=600, gt=0)  # of one address, signed in or not
    sign_ins_a_minute: int = Field(default=20, gt=0)
    messages_a_second: int = Field(default=20, gt=0)  # of one socket, in the long run
    message_bytes: int = Field(default=16_384, gt=0)
    come_back: float = Field(default=60, ge=0)  # seconds after a start in which players of before may come back
    sockets_a_person: int = Field(default=8, gt=0)
    behind: int = Field(default=256, gt=0)  # messages a slow reader may be behind before it is cut off
    lab_rounds: int = Field(default=100_000_000, gt=0)  # of one simulation
    lab_seconds: int = Field(default=60, gt=0)  # of one simulation, once it plays
    lab_simulations: int = Field(default=2, gt=0)  # of one person, waiting or playing
    lab_waiting: int = Field(default=16, gt=0)  # of all people

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the library's signature
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The command line first, then the environment, then the file."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls), file_secret_settings

    @property
    def secure(self) -> bool:
        """Whether pages come over TLS; a demo on this machine does not."""
        return not self.demo

    def shown(self) -> dict[str, JsonValue]:
        """The settings without what is secret."""
        return {**self.model_dump(mode="json"), "metrics_token": "set" if self.metrics_token else ""}
