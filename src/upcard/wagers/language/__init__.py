"""The language in which a kind of wager is written: conditions on cards, as text.

tokens       words and symbols, each with its column
syntax       what a condition says, as a tree
card_words   what a card may be
parser       text to tree
card_sets    a tree as sets of card patterns, for wagers on the deal
dealer_ends  a tree as a test of the dealer's final hand
examples     hands that are an event, and hands that nearly are

The grammar is in docs/kinds.md. Nothing here knows files, paytables or money.
"""
