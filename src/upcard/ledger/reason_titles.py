"""The words that statements and reports show for stored codes: reasons of transfers and of meter changes.

A stored code is never renamed; its words may be changed at any time.
"""

_TITLES = {
    "buy-in": "buy-in",
    "cash-out": "cash-out",
    "chips-moved": "chips taken, paid or sold",
    "dealing-changed": "tray carried over",
    "counted": "over or short",
    "underpaid": "underpayment corrected",
    "escrow-lost": "lost from escrow",
    "escrow-cured": "escrow shortfall made good",
    "accrued": "daily accrual",
    "to-cap": "reduced to the cap",
    "gross-receipts": "to gross receipts",
}


def title_of(code: str) -> str:
    """The words for a code: "stake taken" for `stake-taken`, unless other words are usual."""
    return _TITLES.get(code, code.replace("-", " "))
