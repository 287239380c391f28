"""Where language models and embedding models are asked: any server that speaks the OpenAI wire format, or Azure."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

API_VERSION = "2024-10-21"  # of Azure OpenAI


@dataclass(frozen=True)
class Endpoint:
    base_url: str | None  # None: OpenAI's own
    key: str = field(repr=False)  # sent to the server and nowhere else
    azure: str | None = None  # address of an Azure OpenAI resource, instead of base_url
    api_version: str | None = None  # Azure's; None: API_VERSION
    timeout: float = 60  # seconds until the server has to say something
    retries: int = 2  # further tries after 429, 5xx and failed connections

    @property
    def reachable(self) -> bool:
        """Whether there is anything to ask it with."""
        return bool(self.base_url or self.azure or self.key)

    @property
    def provider(self) -> str:
        """ "openai", "azure", or the server's host and port."""
        if self.azure:
            return "azure"
        return urlsplit(self.base_url).netloc.rpartition("@")[2] if self.base_url else "openai"

    def without_key(self, text: str) -> str:
        """A text of the server's that may go into a trace or a log."""
        return text.replace(self.key, "…") if self.key else text
