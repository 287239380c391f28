"""The port `ChatModel` over LangChain: OpenAI, Azure OpenAI, and every server that speaks their wire format."""

import json
import re
import threading
from collections.abc import AsyncIterator, Container, Iterator, Mapping, Sequence
from contextlib import aclosing
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, Any

from rag.errors import ModelFailed, OutOfTime, Stopped
from rag.models.background import Background
from rag.models.endpoint import API_VERSION, Endpoint
from rag.models.failures import dropped_option, failure, is_no_stream, minds_system, wait_before_retry
from rag.models.messages import FirstCall, folded, merged
from rag.types import Delta, Message, ReplyEnd, TextDelta, Tool, Usage, Way

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

CUT = frozenset({"length", "max_tokens", "model_length"})  # why a reply ended, where it was cut
_NAME = re.compile(r"[^a-zA-Z0-9_-]+")  # what the name of a called tool may not hold on the wire


class LangChainChat:
    """For any thread. `schema` is the JSON schema of a decision, which the way "schema" sends."""

    def __init__(
        self, endpoint: Endpoint, model: str, *, schema: Mapping[str, object], temperature: float | None = 0.0
    ) -> None:
        self.name = f"{endpoint.provider}:{model}"
        self._endpoint, self._model, self._schema = endpoint, model, schema
        # What is sent where nobody minds; a server that refuses one of them is not sent it again.
        self._options: dict[str, Any] = {"stream_options": {"include_usage": True}}
        if temperature is not None:
            self._options["temperature"] = temperature
        self._background = Background()
        self._streams = True  # until a server turns out to answer in one piece alone
        self._folds = False  # whether what the system says goes into the first message of the user
        self._closed = False

    def close(self) -> None:
        """Closes the connections, and the thread that waits for them."""
        self._closed = True
        if "_chat" in self.__dict__:
            self._background.run(self._http.aclose())
        self._background.close()

    def stream(
        self, messages: Sequence[Message], way: Way, tools: Sequence[Tool], *, cancel: threading.Event, seconds: float
    ) -> Iterator[Delta]:
        """The reply piece by piece, as the port promises."""
        until, tries = monotonic() + seconds, 0
        while True:
            if self._closed:
                raise Stopped("The library was closed.")
            begun, options = False, dict(self._options)
            told = folded(messages) if self._folds else merged(messages)
            sent = [_to_langchain(message) for message in told]
            try:
                for delta in self._once(sent, options | self._form(way, tools), cancel, until - monotonic()):
                    begun = True
                    yield delta
                return
            except (Stopped, ModelFailed):
                raise
            except Exception as error:
                if begun:
                    yield ReplyEnd("broken")
                    return
                if self._is_eased(error, options):
                    continue
                pause = wait_before_retry(error, tries) if tries < self._endpoint.retries else None
                if pause is None:
                    raise failure(error, way, self._endpoint, self.name) from None
            tries += 1
            yield pause
            if pause.seconds > until - monotonic():
                raise OutOfTime()
            if cancel.wait(pause.seconds):
                raise Stopped()

    def _once(
        self,
        messages: Sequence["BaseMessage"],
        options: Mapping[str, Any],
        cancel: threading.Event,
        seconds: float,
    ) -> Iterator[Delta]:
        """One request; what the server or the network does wrong comes out as the exception that it is."""
        chat, streams = self._chat, self._streams

        async def chunks() -> AsyncIterator["AIMessage"]:
            from langsmith import tracing_context

            with tracing_context(enabled=False):  # no text of a report goes anywhere but to the model
                if not streams:
                    given = {name: value for name, value in options.items() if name != "stream_options"}
                    yield await chat.ainvoke(list(messages), **given)
                    return
                async with aclosing(chat.astream(list(messages), **options)) as stream:
                    async for chunk in stream:
                        yield chunk

        finish, usage, call = "", None, FirstCall()
        for chunk in self._background.each(chunks, cancel=cancel, seconds=seconds):
            finish = chunk.response_metadata.get("finish_reason") or finish
            if told := chunk.usage_metadata:
                usage = Usage(told["input_tokens"], told["output_tokens"])
            if text := str(chunk.text):
                yield TextDelta(text)
            yield from call.heard(chunk)
        if finish == "content_filter":
            raise ModelFailed(f"The content filter of {self.name!r} stopped its reply. Ask in other words.")
        # One that names no reason and counts its tokens has come to its end as well.
        yield ReplyEnd("length" if finish in CUT else "stop" if finish or usage else "broken", usage)

    def _is_eased(self, error: Exception, options: Container[str]) -> bool:
        """Whether the server minds something that can be left away; it is, from now on."""
        if option := dropped_option(error, options):
            self._options.pop(option, None)
        elif self._streams and is_no_stream(error):
            self._streams = False
        elif not self._folds and minds_system(error):
            self._folds = True
        else:
            return False
        return True

    def _form(self, way: Way, tools: Sequence[Tool]) -> dict[str, Any]:
        if way == "tools":
            return {"tools": [_to_wire(tool) for tool in tools]}
        if way == "schema":
            schema = {"name": "decision", "schema": self._schema}
            return {"extra_body": {"response_format": {"type": "json_schema", "json_schema": schema}}}
        return {"extra_body": {"response_format": {"type": "json_object"}}} if way == "json" else {}

    @cached_property
    def _http(self) -> Any:
        import httpx

        return httpx.AsyncClient(timeout=self._endpoint.timeout)

    @cached_property
    def _chat(self) -> Any:  # a BaseChatModel, whose stream mypy takes for one that cannot be closed
        from langchain.chat_models import init_chat_model

        endpoint = self._endpoint
        shared: dict[str, Any] = {
            "api_key": endpoint.key or "none",  # local servers want none, and the client wants one
            "max_retries": 0,  # they are made here, where they can be shown and stopped
            "timeout": endpoint.timeout,
            "http_async_client": self._http,
            "stream_chunk_timeout": endpoint.timeout,
        }
        if endpoint.azure:
            version = endpoint.api_version or API_VERSION
            shared |= {"azure_endpoint": endpoint.azure, "azure_deployment": self._model, "api_version": version}
            return init_chat_model(self._model, model_provider="azure_openai", **shared)
        if endpoint.base_url:
            shared |= {"base_url": endpoint.base_url}
        return init_chat_model(self._model, model_provider="openai", use_responses_api=False, **shared)


def _to_wire(tool: Tool) -> dict[str, object]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _to_langchain(message: Message) -> "BaseMessage":
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

    if message.role == "system":
        return SystemMessage(message.text)
    if message.role == "tool":
        return ToolMessage(message.text, tool_call_id=message.call.id if message.call else "")
    if message.role == "user":
        return HumanMessage(message.text)
    if not message.call:
        return AIMessage(message.text)
    call = {
        "id": message.call.id,
        "name": _NAME.sub("_", message.call.name)[:64] or "unknown",
        "args": json.loads(message.call.arguments or "{}"),
    }
    return AIMessage(message.text, tool_calls=[call])
