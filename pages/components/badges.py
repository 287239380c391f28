"""Badges: how a run ended, and what stands behind its answer."""

from collections.abc import Mapping

from pages.components.text import plain
from rag.types import Band, Mode, Status, Trace

MODES: Mapping[Mode, str] = {"agent": "Agent", "single_shot": "Single-shot"}
_STATUS: Mapping[Status, tuple[str, str, str]] = {
    "answered": ("green", ":material/check:", "answered"),
    "partial": ("orange", ":material/contrast:", "answered in part"),
    "not_found": ("orange", ":material/search_off:", "not found"),
    "step_limit": ("orange", ":material/timer_off:", "step limit reached"),
    "cancelled": ("gray", ":material/stop_circle:", "stopped"),
    "error": ("red", ":material/error:", "failed"),
}
_EVIDENCE: Mapping[Band, tuple[str, str]] = {
    "strong": ("green", "strong evidence"),
    "partial": ("gray", "partial evidence"),
    "weak": ("orange", "weak evidence"),
    "none": ("orange", "no evidence"),
}


def status_badge(status: Status) -> str:
    """Markdown of how a run ended."""
    colour, icon, words = _STATUS[status]
    return f":{colour}-badge[{icon} {words}]"


def evidence_badge(band: Band) -> str:
    """Markdown of how strong the passages are that the answer rests on."""
    colour, words = _EVIDENCE[band]
    return f":{colour}-badge[{words}]"


def reasoner_badge(trace: Trace) -> str:
    """Markdown of who planned and wrote: it is said where no language model did."""
    return (
        ":gray-badge[no language model used]" if trace.reasoner == "rules" else f":gray-badge[{plain(trace.reasoner)}]"
    )
