"""The port `ChatModel` over LangChain: OpenAI, Azure OpenAI, and every server that speaks their wire format."""

import json
import re
import threading
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, Any

from rag.errors import OutOfBounds, Stopped
from rag.models.background import Background
from rag.models.endpoint import API_VERSION, Endpoint
from rag.models.failures import dropped_option, failure, wait_before_retry
from rag.types import CallDelta, Delta, Message, ReplyEnd, TextDelta, Tool, Usage, Way

if TYPE_CHECKING:
    from langchain_core.messages import AIMessageChunk, BaseMessage

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

    def close(self) -> None:
        """Closes the connections, and the thread that waits for them."""
        if "_chat" in self.__dict__:
            self._background.run(self._http.aclose())
        self._background.close()

    def stream(
        self, messages: Sequence[Message], way: Way, tools: Sequence[Tool], *, cancel: threading.Event, seconds: float
    ) -> Iterator[Delta]:
        """The reply piece by piece, as the port promises."""
        sent, until, tries = [_to_langchain(m) for m in messages], monotonic() + seconds, 0
        while True:
            begun = False
            try:
                for delta in self._once(sent, way, tools, cancel, until - monotonic()):
                    begun = True
                    yield delta
                return
            except (Stopped, OutOfBounds):
                raise
            except Exception as error:
                if begun:
                    yield ReplyEnd("broken")
                    return
                if option := dropped_option(error, self._options):
                    self._options.pop(option, None)
                    continue
                pause = wait_before_retry(error, tries) if tries < self._endpoint.retries else None
                if pause is None:
                    raise failure(error, way, self._endpoint, self.name) from None
            tries += 1
            yield pause
            if pause.seconds > until - monotonic():
                raise OutOfBounds("The run's time is spent (TRACEBOOK_RUN_SECONDS).")
            if cancel.wait(pause.seconds):
                raise Stopped("The run was stopped.")

    def _once(
        self,
        messages: Sequence["BaseMessage"],
        way: Way,
        tools: Sequence[Tool],
        cancel: threading.Event,
        seconds: float,
    ) -> Iterator[Delta]:
        """One request; what the server or the network does wrong comes out as the exception that it is."""
        chat, options = self._chat, self._options | self._form(way, tools)

        async def chunks() -> AsyncIterator["AIMessageChunk"]:
            from langsmith import tracing_context

            with tracing_context(enabled=False):  # no text of a report goes anywhere but to the model
                async with aclosing(chat.astream(list(messages), **options)) as stream:
                    async for chunk in stream:
                        yield chunk

        finish, usage, first, came = "", None, None, False
        for chunk in self._background.each(chunks, cancel=cancel, seconds=seconds):
            came = True
            finish = chunk.response_metadata.get("finish_reason") or finish
            if told := chunk.usage_metadata:
                usage = Usage(told["input_tokens"], told["output_tokens"])
            if text := str(chunk.text):
                yield TextDelta(text)
            for call in chunk.tool_call_chunks:
                first = call.get("index") if first is None else first
                if call.get("index") == first:  # one decision at a time: further calls are not heard
                    yield CallDelta(call.get("name") or "", call.get("args") or "")
        if not came:
            raise ConnectionError("the reply ended before it began")
        yield ReplyEnd("length" if finish == "length" else "stop" if finish else "broken", usage)

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
