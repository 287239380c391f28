"""Documents with a card and no text: what the search for the right reports goes by."""

from hashlib import sha256

from rag.types import Card, Document, Kind


def report(
    company: str | None,
    year: int | None = 2022,
    kind: Kind = "10-K",
    *,
    aliases: tuple[str, ...] = (),
    period_end: str | None = None,
) -> Document:
    """A document whose id is its title, so that a test reads well."""
    card = Card(company, aliases, kind, year, period_end)
    name = " ".join(str(part) for part in (company, kind, year) if part)
    key = sha256(name.encode()).hexdigest()
    return Document(name, f"{name}.pdf", key, "pdf", card, 1, 1, 1, 0, "ready", "2026-01-01T00:00:00Z")
