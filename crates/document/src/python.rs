//! Python's text of values: the one place for `str()`, `repr()` and the form of floats.
