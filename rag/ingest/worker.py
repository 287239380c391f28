"""The process that reads files: pickled requests on standard input, pickled answers on standard output.

Only the pool that started it speaks to it, over pipes that no one else holds. It is a process of its own, started by
its module name, because a forked or spawned one would run the program's main script again, which under Streamlit is a
page.
"""

import os
import pickle
import signal
import struct
import sys
from contextlib import suppress
from typing import IO, cast

from rag.errors import BadFile
from rag.ingest.parse import parse
from rag.ingest.upload import Upload
from rag.types import ParsedDocument

Answer = tuple[int, int] | ParsedDocument | str  # pages (read, in all); the document; why there is none
_LENGTH = struct.Struct("!Q")
_EVERY = 5  # pages between two reports
_MEMORY = 4 << 30  # bytes of address space; a file that asks for more fails alone


def send(pipe: IO[bytes], message: object) -> None:
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    pipe.write(_LENGTH.pack(len(data)))
    pipe.write(data)
    pipe.flush()


def receive(pipe: IO[bytes]) -> object:
    """The next message; raises `EOFError` where the other side is gone."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    data = pipe.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)


def answer(upload: Upload, chunk_tokens: int, pipe: IO[bytes]) -> None:
    def report(done: int, total: int) -> None:
        if done % _EVERY == 0 or done == total:
            send(pipe, (done, total))

    try:
        send(pipe, parse(upload, chunk_tokens=chunk_tokens, report=report))
    except BadFile as error:
        send(pipe, str(error))
    except MemoryError:
        send(pipe, f"{upload.file} needs more memory than reading one file may take. Split it and upload the parts.")
    except Exception as error:  # whatever a file makes of the libraries that read it, only this file fails
        send(pipe, f"{upload.file} cannot be read ({type(error).__name__}: {error}). Export it again and upload that.")


def main() -> None:
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal goes to all; the program ends this process
    os.dup2(2, 1)  # what a library prints must not mix with the answers
    _limit_memory()
    while True:
        try:
            file, data, chunk_tokens = cast(tuple[str, bytes, int], receive(requests))
        except EOFError:
            return
        answer(Upload(file, data), chunk_tokens, answers)


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    with suppress(ValueError, OSError):  # a system that knows no such limit, or has a lower one
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


if __name__ == "__main__":
    main()
