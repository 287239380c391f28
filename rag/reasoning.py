"""Which reasoner is at work, and why: rules, or the language model that the settings name."""

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag.errors import ModelFailed, OutOfTime
from rag.models.endpoint import Endpoint
from rag.ports import Reasoner
from rag.settings import Settings
from rag.types import Message, TextDelta
from rag.ways import WayStore

if TYPE_CHECKING:
    from rag.models.chat import LangChainChat

OPENAI_MODEL = "gpt-4.1-mini"  # where a key is given and no model


@dataclass(frozen=True)
class Choice:
    endpoint: Endpoint | None  # None: rules decide
    model: str  # "" with rules
    why: str  # in a sentence, for the pages

    @property
    def name(self) -> str:
        """As traces name it: "rules", or "<provider>:<model>"."""
        return f"{self.endpoint.provider}:{self.model}" if self.endpoint else "rules"


class Reasoning:
    """The reasoner of the settings; the model behind it is made with the first question. For any thread."""

    def __init__(self, settings: Settings, ways: WayStore) -> None:
        self.choice = choose(settings)
        self._settings, self._ways = settings, ways
        self._chat: LangChainChat | None = None
        self._lock = threading.Lock()

    def reasoner(self) -> Reasoner:
        if not self.choice.endpoint:
            from rag.agent.rules import RuleReasoner

            return RuleReasoner()
        from rag.agent.language import LanguageReasoner

        return LanguageReasoner(self._model(self.choice.endpoint), self._ways, room=self._settings.context_tokens)

    def test(self) -> str:
        """What the model says to a greeting; raises `ModelFailed`. In which way it is asked is found out anew."""
        if not self.choice.endpoint:
            raise ModelFailed(self.choice.why)
        from rag.agent.reply import Prose, read_text

        self._ways.forget(self.choice.name)
        greeting = (Message("user", "Reply with the word ready."),)
        deltas = self._model(self.choice.endpoint).stream(
            greeting, "text", (), cancel=threading.Event(), seconds=self._settings.timeout
        )
        try:
            said = "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
        except OutOfTime:
            raise ModelFailed(f"{self.choice.name!r} did not answer within TRACEBOOK_TIMEOUT.") from None
        reply = read_text(said)
        if not said.strip():
            raise ModelFailed(f"{self.choice.name!r} answered, and said nothing.")
        return reply.text if isinstance(reply, Prose) else said.strip()

    def close(self) -> None:
        """Closes the connections to the model."""
        if self._chat:
            self._chat.close()

    def _model(self, endpoint: Endpoint) -> "LangChainChat":
        from rag.models.chat import LangChainChat
        from rag.prompts import DECISION_SCHEMA

        with self._lock:
            if not self._chat:
                self._chat = LangChainChat(
                    endpoint, self.choice.model, schema=DECISION_SCHEMA, temperature=self._settings.temperature
                )
            return self._chat


def choose(settings: Settings) -> Choice:
    """Azure where its address is set, else any server at OPENAI_BASE_URL, else OpenAI where its key is, else rules."""
    if settings.reasoner == "rules":
        return _rules("TRACEBOOK_REASONER says so")
    if settings.azure_openai_endpoint:
        if not settings.azure_openai_api_key:
            return _rules("AZURE_OPENAI_ENDPOINT is set, but AZURE_OPENAI_API_KEY is not")
        if not settings.model:
            return _rules("AZURE_OPENAI_ENDPOINT is set, but TRACEBOOK_MODEL does not name a deployment")
        return Choice(endpoint_of(settings), settings.model, "AZURE_OPENAI_ENDPOINT is set.")
    if settings.openai_base_url:
        if not settings.model:
            return _rules("OPENAI_BASE_URL is set, but TRACEBOOK_MODEL does not name a model")
        return Choice(endpoint_of(settings), settings.model, "OPENAI_BASE_URL is set.")
    if settings.openai_api_key:
        return Choice(endpoint_of(settings), settings.model or OPENAI_MODEL, "OPENAI_API_KEY is set.")
    return _rules("no key and no server of a language model is set")


def endpoint_of(settings: Settings) -> Endpoint:
    """The server that the settings name, for chat models and embedders alike."""
    azure = settings.azure_openai_endpoint or None
    return Endpoint(
        base_url=None if azure else settings.openai_base_url or None,
        key=settings.azure_openai_api_key if azure else settings.openai_api_key,
        azure=azure,
        api_version=settings.openai_api_version or None,
        timeout=settings.timeout,
        retries=settings.retries,
    )


def _rules(why: str) -> Choice:
    return Choice(None, "", f"Rules decide, as {why}.")
