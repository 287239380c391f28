"""What requests may hold, checked before anything is done."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, WithJsonSchema

from rag.types import ScorerName
from rag.wire import camel


def _asked(text: str) -> str:
    if not text.strip():
        raise ValueError("It is blank; type a question")
    return text


Question = Annotated[
    str,
    StringConstraints(max_length=4_000),
    AfterValidator(_asked),
    WithJsonSchema({"type": "string", "maxLength": 4_000, "pattern": r"\S"}),
]
_TITLE = r"^[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*$"  # one line, not blank
Name = Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
Names = Annotated[tuple[Name, ...], Field(max_length=1_000, description="Ids or file names; none: the whole library.")]


class Given(BaseModel):
    """What a request may bring; anything else is refused."""

    model_config = ConfigDict(alias_generator=camel, extra="forbid", frozen=True)


class Asked(Given):
    query: Question = Field(description="The question.")
    documents: Names | None = Field(None, description="Ids or file names; none: the whole library.")
    top_k: int | None = Field(None, ge=1, le=50, description="Passages a document; null: as the settings say.")
    conversation_id: Name | None = Field(None, description="The conversation that the question belongs to.")


class AgentAsked(Asked):
    max_iterations: int | None = Field(None, ge=1, le=50, description="Decisions that the agent may take.")


class Sought(Given):
    q: Annotated[str, StringConstraints(max_length=4_000)] = Field(description="The query; a blank one finds nothing.")
    k: int = Field(10, ge=1, le=50, description="At most so many passages.")
    scorer: ScorerName = "hybrid"
    documents: Names = ()


class PassagesAsked(Given):
    page: int | None = Field(None, ge=1, le=1_000_000, description="Only those of this page.")


class ImageAsked(Given):
    mark: Name | None = Field(None, description="Id of the passage to mark.")
    scale: float = Field(1.5, ge=0.5, le=4.0, description="1 is 72 dots an inch.")


class RunsAsked(Given):
    limit: int = Field(50, ge=1, le=500, description="At most so many, the newest.")


class RunForm(Given):
    form: Literal["json", "markdown"] = "json"


class ConversationForm(Given):
    form: Literal["json", "markdown", "text"] = "json"


class ConversationMade(Given):
    title: Annotated[str, StringConstraints(max_length=200, pattern=_TITLE)] = "Untitled"
