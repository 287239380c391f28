"""Answers written by rules, one kind of question a file, out of the passages' own sentences and rows."""
