// Nothing of its own: the target of this file reads, once for all tests, what they include from elsewhere.
