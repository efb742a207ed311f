"""Documents: their content as plain values, the sentences about it, and how they are written to a file.

What a document says is composed elsewhere, from the catalog and the book. Nothing here reads either.
"""
