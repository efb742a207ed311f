"""The words for what the book stores as codes: reasons of transfers and changes of meters, for statements and reports.

A stored code is never renamed; its words may be changed at any time.
"""

_TITLES = {
    "buy-in": "buy-in",
    "cash-out": "cash-out",
    "underpaid": "paid too little before",
    "escrow-lost": "taken from escrow",
    "escrow-cured": "escrow made good",
    "accrued": "daily accrual",
    "to-cap": "down to the cap",
    "gross-receipts": "to gross receipts",
}


def title_of(code: str) -> str:
    """A code in words: `stake-taken` is "stake taken", unless other words are usual."""
    return _TITLES.get(code, code.replace("-", " "))
