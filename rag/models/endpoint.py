"""Where an OpenAI-compatible server is, and how it is asked: what chat models and embedders share."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Endpoint:
    """OpenAI where no address is given; Azure OpenAI where `azure` is."""

    base_url: str | None  # "http://127.0.0.1:11434/v1"; None: OpenAI's own
    key: str = field(repr=False)  # sent to the server and nowhere else; "": the server takes none
    azure: str | None = None  # AZURE_OPENAI_ENDPOINT: "https://<resource>.openai.azure.com"
    api_version: str | None = None  # Azure's, "2024-10-21"
    timeout: float = 60  # seconds that one request may take
    retries: int = 2  # how often a request is made again after 429, 5xx or no connection
