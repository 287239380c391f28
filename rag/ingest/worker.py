"""The process that reads files and draws their pages: pickled requests on its input, pickled answers on its output.

Only the pool that started it speaks to it, over pipes that no one else holds. It is a process of its own, started by
its module name, because a forked or spawned one would run the program's main script again, which under Streamlit is a
page.
"""

import logging
import os
import pickle
import signal
import struct
import sys
import time
import warnings
from contextlib import suppress
from threading import Thread
from typing import IO, cast

from rag.errors import BadFile, NeedsPassword
from rag.ingest.parse import parse
from rag.ingest.request import DrawRequest, ReadRequest, Request
from rag.types import ParsedDocument

Answer = tuple[int, int] | ParsedDocument | bytes | NeedsPassword | str  # pages (read, in all); the thing; why none
_LENGTH = struct.Struct("!Q")
_LOOK_UP = 1.0  # seconds between two looks at whether the program is still there
_EVERY = 5  # pages between two reports, where none of them takes seconds


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


def answer(request: ReadRequest, pipe: IO[bytes]) -> None:
    upload, chunk_tokens, ocr = request

    def report(done: int, total: int) -> None:
        if ocr or done % _EVERY == 0 or done == total:
            send(pipe, (done, total))

    try:
        send(pipe, parse(upload, chunk_tokens=chunk_tokens, report=report, ocr=ocr))
    except NeedsPassword as error:  # as it is: the user can do something about it at once
        send(pipe, error)
    except BadFile as error:
        send(pipe, str(error))
    except MemoryError:
        send(pipe, f"{upload.file} needs more memory than reading one file may take. Split it and upload the parts.")
    except Exception as error:  # whatever a file makes of the libraries that read it, only this file fails
        send(pipe, f"{upload.file} cannot be read ({type(error).__name__}: {error}). Export it again and upload that.")


def draw(request: DrawRequest, pipe: IO[bytes]) -> None:
    from rag.ingest.images import page_image

    try:
        image = page_image(request.file.read_bytes(), request.page, mark=request.mark, scale=request.scale)
        send(pipe, image or "PDFium cannot draw it.")
    except Exception as error:  # likewise, only this page has no image
        send(pipe, f"{type(error).__name__}: {error}")


def main(megabytes: int) -> None:
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal goes to all; the program ends this process
    os.dup2(2, 1)  # what a library prints must not mix with the answers
    logging.getLogger().addHandler(
        logging.NullHandler()
    )  # what it says of a damaged file the answer says in plain words
    warnings.simplefilter("ignore")
    _limit_memory(megabytes << 20)
    if hasattr(os, "nice"):
        os.nice(10)  # whoever asks goes before files that are read
    Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    try:
        while True:
            request = cast(Request, receive(requests))
            if isinstance(request, DrawRequest):
                draw(request, answers)
            else:
                answer(request, answers)
    except EOFError:
        return
    except BrokenPipeError:  # nobody listens any more
        os._exit(1)


def _end_with(parent: int) -> None:
    """A program that was killed cannot end this process, and nobody else would, however long a file keeps it busy."""
    while os.getppid() == parent:
        time.sleep(_LOOK_UP)
    os._exit(1)


def _limit_memory(size: int) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    with suppress(ValueError, OSError):  # a system that knows no such limit, or has a lower one
        resource.setrlimit(resource.RLIMIT_AS, (size, size))


if __name__ == "__main__":
    main(int(sys.argv[1]))
