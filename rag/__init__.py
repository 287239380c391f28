"""Tracebook: plans its retrieval over annual reports, and shows every step. Start at `rag.workspace`."""
