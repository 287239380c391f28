"""What can go wrong, as a tree:

TracebookError
├── BadFile            a file that cannot be read; the message is shown to the user as it stands
│   ├── EmptyFile
│   ├── NotThatFormat  the bytes are not what the name says, or of no format that is read
│   ├── NeedsPassword
│   ├── NoText         a scan without a text layer
│   └── TooLong        past the per-file limit of time or size
├── BadInput           a setting, argument or query that cannot be used
│   ├── UnknownDocument
│   └── AmbiguousDocument
├── ModelFailed        the language model could not be asked or understood; a run ends with what was found
│   ├── WayRefused     its server does not know this way of asking
│   ├── ReplyBroken    its connection ended in the middle of the answer; `text` is what came
│   ├── ContextTooLong more text than the model takes
│   └── OutOfBounds    what the run may take of a model does not do
│       ├── OutOfTokens    its tokens are spent
│       └── OutOfTime      its time is
├── AgentDisabled      the agent is turned off by a setting; single-shot and search go on
├── Stopped            somebody stopped the run
├── RerankFailed       the rerank server gave no scores; a search goes on without them
├── EmbeddingFailed    no vectors can be had; keywords find what they can without
└── BadLibrary         the library's folder holds something that cannot be used
    └── LostOriginal   a document's file is gone from it
"""


class TracebookError(Exception):
    """Base of all errors that this project raises on purpose; its text says what to do."""


class BadFile(TracebookError):
    pass


class EmptyFile(BadFile):
    pass


class NotThatFormat(BadFile):
    pass


class NeedsPassword(BadFile):
    pass


class NoText(BadFile):
    pass


class TooLong(BadFile):
    pass


class BadInput(TracebookError):
    pass


class UnknownDocument(BadInput):
    pass


class AmbiguousDocument(BadInput):
    pass


class BadLibrary(TracebookError):
    pass


class LostOriginal(BadLibrary):
    pass


class EmbeddingFailed(TracebookError):
    pass


class RerankFailed(TracebookError):
    pass


class ModelFailed(TracebookError):
    pass


class WayRefused(ModelFailed):
    pass


class ReplyBroken(ModelFailed):
    def __init__(self, text: str) -> None:
        super().__init__("The connection to the model broke in the middle of its answer; this is what came.")
        self.text = text


class ContextTooLong(ModelFailed):
    pass


class OutOfBounds(ModelFailed):
    pass


class OutOfTokens(OutOfBounds):
    def __init__(self) -> None:
        super().__init__("The run's token budget is spent (TRACEBOOK_TOKEN_BUDGET).")


class OutOfTime(OutOfBounds):
    def __init__(self) -> None:
        super().__init__("The run's time is spent (TRACEBOOK_RUN_SECONDS).")


class AgentDisabled(TracebookError):
    pass


class Stopped(TracebookError):
    def __init__(self, why: str = "The run was stopped.") -> None:
        super().__init__(why)


def reason(error: Exception) -> str:
    """What it says, without the path that an error of the file system names: that is no reader's business."""
    return error.strerror or type(error).__name__ if isinstance(error, OSError) else str(error)
