"""Text that is only there as a picture: pages drawn, and recognised by an engine where its package is installed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rag.ingest.layout import Box, page_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pypdfium2 import PdfPage
    from rapidocr import RapidOCR

    from rag.ports import Ocr

_LONGER_SIDE = 2000  # pixels, which is 170 dots an inch of A4; more makes small print no clearer to the models
_FAINT = 24  # of 255: a page whose darkest and lightest spot are no further apart shows nothing
_MARGIN, _LEAST = (
    40,
    400,
)  # pixels around what is on a page, and of a side: the models see no lone line in a large blank
_MODELS = {  # as they lie in the package, so that none is ever downloaded
    "Det": "PP-OCRv6_det_small.onnx",
    "Cls": "ch_ppocr_mobile_v2.0_cls_mobile.onnx",
    "Rec": "PP-OCRv6_rec_small.onnx",
}


class Recognition(NamedTuple):
    """Text recognition as the settings and the installed packages have it."""

    engine: Ocr | None
    of_a_scan: str  # a sentence for a file of which no page has text
    of_pages: str = ""  # behind "pages 2, 4 hold no text"


OFF = Recognition(None, "Run text recognition (OCR) on it, or turn it on here (TRACEBOOK_OCR=true).")
_MISSING = Recognition(
    None,
    "Text recognition is on, but not installed: pip install -r requirements-ocr.txt, then add the file again.",
    "; to have it recognised, pip install -r requirements-ocr.txt, then delete the document and add its file again",
)


def recognition(*, wanted: bool) -> Recognition:
    """Loads nothing yet: the models come with the first page that needs them."""
    if not wanted:
        return OFF
    if not find_spec("rapidocr"):
        return _MISSING
    return Recognition(RapidOcr(), "Text recognition finds none either. Scan it again.", ", and none is recognised")


def picture(page: PdfPage) -> NDArray[np.uint8]:
    """The page as `rag.ports.Ocr` takes it."""
    return page.render(scale=_LONGER_SIDE / max(page.get_size())).to_numpy()  # type: ignore[no-any-return]


class RapidOcr:
    """PaddleOCR's models, run by ONNX on this machine."""

    def __init__(self) -> None:
        self._engine: RapidOCR | None = None

    def recognise(self, image: NDArray[np.uint8]) -> str:
        cut = _printed(image)
        if cut is None:
            return ""
        self._engine = self._engine or _load()
        from rapidocr.utils.output import RapidOCROutput

        try:
            found = self._engine(cut)
        except MemoryError:
            raise
        except Exception:  # whatever an image makes of the engine, only its page stays without text, which is said
            return ""
        if not isinstance(found, RapidOCROutput) or found.boxes is None or found.txts is None:
            return ""
        return page_text([_box(corners, text) for corners, text in zip(found.boxes, found.txts, strict=True)])


def _printed(image: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
    """The part of the page that anything is on, with some paper around it; None: the page is blank."""
    import numpy as np

    grey = image.mean(axis=2)
    ink = abs(grey - np.median(grey)) > max(np.ptp(grey) / 2, _FAINT)
    if not ink.any():
        return None
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    cut = image[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    around = [(_MARGIN, max(_LEAST - side, _MARGIN)) for side in cut.shape[:2]]
    return np.pad(cut, (*around, (0, 0)), constant_values=int(np.median(grey)))


def _box(corners: NDArray[np.float32], text: str) -> Box:
    """`corners` has shape (4, 2); the piece may stand at a slant."""
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    return Box(float(left), float(top), float(right), float(bottom), text)


def _load() -> RapidOCR:
    import rapidocr

    folder = Path(rapidocr.__file__).parent / "models"
    return rapidocr.RapidOCR(
        params={f"{part}.model_path": str(folder / file) for part, file in _MODELS.items()}
        | {
            "Det.limit_side_len": _LEAST,
            "Global.log_level": "critical",
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,  # files are read side by side
            "Rec.rec_batch_num": 1,  # lines at once; more take memory, and on one thread no less time
        }
    )
