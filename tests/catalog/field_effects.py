"""For every key of the catalog's files: an edit of a shipped file, and where users see that it was made."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from catalog.changed_files import Edits


@dataclass(frozen=True, kw_only=True)
class Effect:
    """An edit that gives a key another value, which its file may have, and where it shows."""

    file: str
    edits: Edits
    seen: str
    given: Mapping[str, Edits] = field(default_factory=dict)  # edits made first, where the shipped files lack the key


def effect(file: str, old: str, new: str, seen: str, given: Mapping[str, Edits] | None = None) -> Effect:
    return Effect(file=file, edits={old: new}, seen=seen, given=given or {})


BROOK, QUEENS, BIGGER = "games/000*", "games/001*", "games/002*"
LADIES, ACTION = "games/003*", "games/004*"
BROOK_TABLE, LADIES_TABLE, ACTION_TABLE = "layouts/the-brook", "layouts/lucky-ladies", "layouts/double-action"
PROGRESSIVE_TABLE, CROWDED_TABLE = "layouts/lucky-ladies-progressive", "layouts/double-action-with-21-3"
WASHINGTON, HAMPSHIRE = "jurisdictions/washington", "jurisdictions/new-hampshire"
ROYALS, DOUBLE_ACTION, MADNESS, JACKPOTS = (f"paytables/{part}*" for part in ("000", "004-a", "004-b", "003-d"))

PROMOTED = {
    LADIES_TABLE: {
        "\n[[jackpot]]": """
[[promotion]]
wager = "Lucky Ladies"
event = "queen-of-hearts-pair"
award = "$100"
since = 2026-01-01
until = 2026-12-31
consent = "letter of 2 January 2026"

[[jackpot]]"""
    }
}
LIMITED = {
    ACTION_TABLE: {
        '\n[[wager]]\nname = "Blackjack"': """
[[aggregate_limit]]
wager = "Double Action"
amount = "$5,000"

[[wager]]
name = "Blackjack\""""
    }
}
RULES = {ACTION_TABLE: {"\n[[wager]]": '\n[rules]\nblackjack = "4:3"\n\n[[wager]]'}}  # so that cents are rounded


def house_rule(key: str, value: str) -> Effect:
    return effect(LADIES_TABLE, "\n[[wager]]", f"\n[rules]\n{key} = {value}\n\n[[wager]]", "rules card lucky-ladies")


def newest(key: str, old: str, new: str, seen: str, given: Mapping[str, Edits] | None = None) -> Effect:
    """An edit of Washington's newest limits."""
    edit = {f"since = 2023-08-19 ... {key} = {old}": f"{key} = {new}"}
    return Effect(file=WASHINGTON, edits=edit, seen=seen, given=given or {})


EFFECTS: dict[str, Effect] = {
    # Where a game comes from.
    "Source.document": effect(BROOK, 'document = "Game', 'document = "Card game', "upcard games 000"),
    "Source.regulator": effect(BROOK, "New Hampshire Lottery", "Granite Lottery", "rules card the-brook"),
    "Source.jurisdiction": effect(
        BROOK, 'jurisdiction = "new-hampshire"', 'jurisdiction = "washington"', "jackpots the-brook"
    ),
    "Source.dated": effect(LADIES, 'dated = "2021-04-20"', 'dated = "2022-04-20"', "upcard games 003"),
    "Source.reference": effect(LADIES, "Submission #3044", "Submission #3045", "upcard games 003"),
    # The main game.
    "Rules.soft17": effect(LADIES, 'soft17 = "hit"', 'soft17 = "stand"', "rounds 003-G1"),
    "Rules.blackjack": effect(BROOK, 'blackjack = "3:2"', 'blackjack = "6:5"', "rounds 000-C34"),
    "Rules.win": effect(BROOK, 'win = "1:1"', 'win = "2:1"', "rounds 000-C56"),
    "Rules.insurance": effect(BROOK, 'insurance = "2:1"', 'insurance = "1:1"', "rounds 000-C24"),
    "Rules.even_money": effect(BROOK, 'even_money = "1:1"', 'even_money = "3:2"', "rounds 000-C28"),
    "Rules.hole": effect(BROOK, 'hole = "peek"', 'hole = "none"', "check"),
    "Rules.double": effect(BROOK, 'double = "any"', 'double = "none"', "rounds 000-C39"),
    "Rules.das": effect(LADIES, "das = true", "das = false", "rounds 003-G1"),
    "Rules.double_for_less": effect(BROOK, "double_for_less = true", "double_for_less = false", "rounds 000-C39"),
    "Rules.split": effect(BROOK, 'split = "rank"', 'split = "value"', "rounds 000-C48"),
    "Rules.hands": effect(BROOK, "hands = 3", "hands = 4", "rounds 000-C49"),
    "Rules.resplit_aces": effect(BROOK, "resplit_aces = false", "resplit_aces = true", "rounds 000-C50"),
    "Rules.hit_split_aces": effect(BROOK, "hit_split_aces = false", "hit_split_aces = true", "rounds 000-C50"),
    "Rules.surrender": effect(LADIES, 'surrender = "none"', 'surrender = "early"', "check"),
    "Rules.surrender_returns": effect(
        BROOK, 'surrender_returns = "50%"', 'surrender_returns = "25%"', "rounds 000-C41-C52"
    ),
    "Rules.insurance_most": effect(BROOK, 'insurance_most = "50%"', 'insurance_most = "100%"', "rounds 000-C24"),
    "RuleSettings.soft17": house_rule("soft17", '"stand"'),
    "RuleSettings.blackjack": house_rule("blackjack", '"6:5"'),
    "RuleSettings.double": house_rule("double", '"9-11"'),
    "RuleSettings.das": house_rule("das", "false"),
    "RuleSettings.split": house_rule("split", '"value"'),
    "RuleSettings.hands": house_rule("hands", "2"),
    "RuleSettings.resplit_aces": house_rule("resplit_aces", "true"),
    "RuleSettings.hit_split_aces": house_rule("hit_split_aces", "true"),
    "RuleSettings.surrender": house_rule("surrender", '"late"'),
    # The shoe and the table.
    "Shuffle.verify_decks": effect(BROOK, "verify_decks = true", "verify_decks = false", "rules card the-brook"),
    "Shuffle.cut_from_either_end": effect(
        BROOK, "cut_from_either_end = 1", "cut_from_either_end = 2", "where a shoe is cut 000"
    ),
    "Shuffle.cut_card_from_end": effect(
        BROOK, "cut_card_from_end = 1", "cut_card_from_end = 2", "where a shoe is cut 000"
    ),
    "Shuffle.tolerance": effect(BROOK, "tolerance = 0.25", "tolerance = 0.5", "where a shoe is cut 000"),
    "Shuffle.one_deck_margin": effect(
        LADIES, "one_deck_margin = 0.25", "one_deck_margin = 0.5", "where a single deck is cut 003"
    ),
    "Conduct.spots": effect(BROOK, "spots = 6", "spots = 5", "check"),
    "Conduct.adjacent_spots": effect(BROOK, "adjacent_spots = true", "adjacent_spots = false", "rounds 000-C60"),
    "Conduct.relinquish_on_request": effect(
        BROOK, "relinquish_on_request = true", "relinquish_on_request = false", "rounds 000-C60"
    ),
    "Conduct.flat_betting": effect(BROOK, "flat_betting = true", "flat_betting = false", "rounds 000-C63"),
    "Conduct.close_after_shoe": effect(
        BROOK, "close_after_shoe = true", "close_after_shoe = false", "rules card the-brook"
    ),
    "Conduct.house_rules": effect(BIGGER, "house_rules = false", "house_rules = true", "check"),
    "PostedMinimum.least": effect(BROOK, 'least = "$2"', 'least = "$6"', "check"),
    "PostedMinimum.most": effect(BROOK, 'most = "$10"', 'most = "$4"', "check"),
    "PostedMinimum.step": effect(BROOK, 'step = "$1"', 'step = "$2"', "check"),
    # The wagers of a game.
    "Wager.name": effect(BROOK, 'name = "Suited Royals"', 'name = "Royals"', "check"),
    "Wager.role": effect(BROOK, 'role = "jackpot"', 'role = "side"', "layout card the-brook"),
    "Wager.kind": effect(BROOK, 'kind = "suited-royals"', 'kind = "lucky-ladies"', "check"),
    "Wager.paytables": effect(BROOK, 'paytables = ["000 Suited Royals"]', "paytables = []", "check"),
    "Wager.felt_name": effect(LADIES, 'felt_name = "First 2', 'felt_name = "Your 2', "layout card lucky-ladies"),
    "Wager.equals": effect(BROOK, 'equals = "Ante"', 'max = "$5"', "rules card the-brook"),
    "Wager.min": effect(BROOK, 'min = "$2"', 'min = "$3"', "rounds 000-C10"),
    "Wager.max": effect(BROOK, 'max = "$10"', 'max = "$5"', "rules card the-brook"),
    "Wager.amounts": effect(BROOK, 'amounts = ["$5"]', 'amounts = ["$10"]', "check"),
    "Wager.placed": effect(LADIES, 'placed = "after the peek"', 'placed = "before the deal"', "rounds 003-W3"),
    "Wager.decks": effect(LADIES, 'decks = "4-8"', 'decks = "8"', "check"),
    "Wager.excludes": effect(ACTION, 'excludes = ["Match Madness"]', 'excludes = ["Double Action"]', "check"),
    "Wager.requires_any": effect(LADIES, 'requires_any = ["21+3 Classic", "21+3 Xtreme"]\n', "", "rounds 003-W6"),
    "Wager.equipment": effect(BROOK, '"lit jackpot button"]', '"lit jackpot button", "camera"]', "check"),
    "Wager.payout_cap": effect(BROOK, 'payout_cap = "$1,000"', 'payout_cap = "$500"', "rounds 000-C15"),
    "Wager.pay_order": effect(ACTION, 'pay_order = "right to left" # rule 4\n', "", "rounds 004-R4"),
    "Wager.keep_cards": effect(ACTION, "keep_cards = true # rule 7", "", "rules card double-action-second-action"),
    "Wager.promotions": effect(LADIES, "promotions = true", "promotions = false", "check", PROMOTED),
    # What a layout may offer.
    "LayoutLimits.jackpots": effect(LADIES, "\njackpots = 2", "\njackpots = 1", "check"),
    "LayoutLimits.one_jackpot_for_each_sensor": effect(
        LADIES,
        "one_jackpot_for_each_sensor = true",
        "one_jackpot_for_each_sensor = false",
        "check",
        {LADIES_TABLE: {"sensor = 2": "sensor = 1"}},
    ),
    "LayoutLimits.one_jackpot_type": effect(
        LADIES,
        "one_jackpot_type = true",
        "one_jackpot_type = false",
        "check",
        {LADIES_TABLE: {'plan = "bonus"': 'plan = "progressive"\nrate = "1%"'}},
    ),
    "LayoutLimits.wagers_a_player": effect(ACTION, "wagers_a_player = 4", "wagers_a_player = 3", "rounds 004-G3"),
    "LayoutLimits.small_wager": effect(ACTION, 'small_wager = "$5"', 'small_wager = "$4"', "rounds 004-G3"),
    "LayoutLimits.posted_on_layout": effect(
        ACTION, "posted_on_layout = true", "posted_on_layout = false", "rules card double-action-with-21-3"
    ),
    "LayoutLimits.aggregate_payout_limit": effect(
        ACTION, "aggregate_payout_limit = true", "aggregate_payout_limit = false", "check", LIMITED
    ),
    # A game.
    "Game.number": effect(BROOK, 'number = "000"', 'number = "009"', "check"),
    "Game.slug": effect(BROOK, 'slug = "the-brook"', 'slug = "brook"', "check"),
    "Game.name": effect(BROOK, 'name = "Bet Bigger Blackjack with', 'name = "Blackjack with', "layout card the-brook"),
    "Game.adds": effect(BROOK, 'adds = "Lucky', 'adds = "The Lucky', "layout card the-brook"),
    "Game.decks": effect(BROOK, "decks = 6", "decks = 8", "check"),
    "Game.point_system": effect(BROOK, 'point_system = "none"', 'point_system = ""', "rules card the-brook"),
    "Game.added_wagers": effect(
        BIGGER, 'added_wagers = "left of each wager"', 'added_wagers = "beside the wager"', "felt 002"
    ),
    "Game.filed_models": effect(BROOK, '"Scientific Games"', '"Shufflers"', "upcard controls the-brook"),
    "Game.readings": effect(BROOK, 'R25 = "off"', 'R25 = "offered"', "rounds 000-D4"),
    # What one table offers.
    "Offered.name": effect(BROOK_TABLE, 'name = "Suited Royals"', 'name = "Royals"', "check"),
    "Offered.game": effect(CROWDED_TABLE, 'game = "lucky-ladies"', 'game = "bet-bigger"', "check"),
    "Offered.paytable": effect(LADIES_TABLE, 'paytable = "PT-FLT-LL-03"', 'paytable = "PT-FLT-LL-04"', "rounds 003-W1"),
    "Offered.min": effect(LADIES_TABLE, 'min = "$1"', 'min = "$2"', "rules card lucky-ladies"),
    "Offered.max": effect(LADIES_TABLE, 'max = "$400"', 'max = "$200"', "rounds 003-G5"),
    "Offered.amount": effect(LADIES_TABLE, 'amount = "$1"', 'amount = "$5"', "rounds 003-G5"),
    "Promotion.wager": effect(
        LADIES_TABLE, 'wager = "Lucky Ladies"\nevent', 'wager = "Bust Bonus"\nevent', "check", PROMOTED
    ),
    "Promotion.event": effect(LADIES_TABLE, 'event = "queen', 'event = "king', "check", PROMOTED),
    "Promotion.award": effect(LADIES_TABLE, 'award = "$100"', 'award = "$50"', "rounds 003-W1", PROMOTED),
    "Promotion.since": effect(LADIES_TABLE, "since = 2026-01-01", "since = 2027-01-01", "check", PROMOTED),
    "Promotion.until": effect(LADIES_TABLE, "until = 2026-12-31", "until = 2025-12-31", "check", PROMOTED),
    "Promotion.consent": effect(
        LADIES_TABLE, 'consent = "letter', 'consent = "contract', "upcard controls lucky-ladies", PROMOTED
    ),
    "AggregateLimit.wager": effect(ACTION_TABLE, 'wager = "Double Action"', 'wager = "2nd Action"', "check", LIMITED),
    "AggregateLimit.amount": effect(ACTION_TABLE, 'amount = "$5,000"', 'amount = "$4,000"', "check", LIMITED),
    "HouseRules.since": effect(BROOK_TABLE, "since = 2026-01-01", "since = 2027-01-01", "rules card the-brook"),
    "HouseRules.text": effect(BROOK_TABLE, 'text = "No rules', 'text = "Few rules', "rules card the-brook"),
    "Layout.slug": effect(BROOK_TABLE, 'slug = "the-brook"', 'slug = "brook"', "rounds 000-C56"),
    "Layout.game": effect(BROOK_TABLE, 'game = "the-brook"', 'game = "bet-bigger"', "check"),
    "Layout.title": effect(BROOK_TABLE, 'title = "The Brook:', 'title = "At The Brook:', "rules card the-brook"),
    "Layout.decks": effect(LADIES_TABLE, "decks = 6", "decks = 8", "rules card lucky-ladies"),
    "Layout.spots": effect(BROOK_TABLE, "spots = 6", "spots = 5", "rounds 000-C6-D1"),
    "Layout.suit": effect(LADIES_TABLE, 'suit = "hearts"', 'suit = "spades"', "rounds 003-D4"),
    "Layout.shuffler": effect(LADIES_TABLE, 'shuffler = "automatic"', 'shuffler = "hand"', "rules card lucky-ladies"),
    "Layout.shuffler_model": effect(
        LADIES_TABLE, 'suit = "hearts"', 'suit = "hearts"\nshuffler_model = "Riffle 9"', "notices lucky-ladies"
    ),
    "Layout.equipment": effect(LADIES_TABLE, 'equipment = ["jackpot system"]', "equipment = []", "check"),
    "Layout.jackpot_system_model": effect(
        LADIES_TABLE, 'suit = "hearts"', 'suit = "hearts"\njackpot_system_model = "Andromeda"', "notices lucky-ladies"
    ),
    "Layout.posted_minimum": effect(
        BROOK_TABLE, 'posted_minimum = "$5"', 'posted_minimum = "$4"', "rules card the-brook"
    ),
    "Layout.chip": effect(LADIES_TABLE, 'chip = "$0.50"', 'chip = "$2"', "check"),
    "Layout.rounding": effect(ACTION_TABLE, 'rounding = "up"', 'rounding = "down"', "rounds 004-R9-R6", RULES),
    "Layout.small_wager": effect(
        CROWDED_TABLE, 'small_wager = "Match Madness"', 'small_wager = "Top 3"', "rounds 004-G3"
    ),
    "Layout.readings": effect(
        BROOK_TABLE, "\n[[house_rules]]", '\n[readings]\nR18 = "each-in-full"\n\n[[house_rules]]', "jackpots the-brook"
    ),
    # Jackpots.
    "DailyAccrual.name": effect(BROOK, 'name = "Bonus Jackpot"', 'name = "Daily Jackpot"', "upcard games 000"),
    "DailyAccrual.seed": effect(BROOK, '\nseed = "$1,250"', '\nseed = "$1,000"', "jackpots the-brook"),
    "DailyAccrual.reseed": effect(BROOK, 'reseed = "$1,250"', 'reseed = "$1,000"', "jackpots the-brook"),
    "DailyAccrual.accrues": effect(BROOK, 'accrues = "10%"', 'accrues = "5%"', "jackpots the-brook"),
    "Posted.name": effect(QUEENS, 'name = "Lucky Ladies jackpots"', 'name = "Three jackpots"', "upcard games 001"),
    "Posted.hours_between_changes": effect(
        QUEENS, "hours_between_changes = 24", "hours_between_changes = 12", "jackpots lucky-ladies-jackpot"
    ),
    "Bonus.name": effect(LADIES, 'name = "Bonus Jackpot"', 'name = "House Jackpot"', "upcard controls lucky-ladies"),
    "Bonus.notice": effect(LADIES, "are paid by the casino", "are the casino's", "jackpots lucky-ladies"),
    "Progressive.name": effect(
        LADIES, 'name = "Progressive Jackpot"', 'name = "Players\' Jackpot"', "upcard controls lucky-ladies-progressive"
    ),
    "MeterSettings.wager": effect(
        PROGRESSIVE_TABLE, '[[jackpot]]\nwager = "21+3 Jackpot"', '[[jackpot]]\nwager = "Top 3"', "check"
    ),
    "MeterSettings.plan": effect(PROGRESSIVE_TABLE, 'plan = "progressive"', 'plan = "bonus"', "check"),
    "MeterSettings.sensor": effect(PROGRESSIVE_TABLE, "sensor = 2", "sensor = 1", "check"),
    "MeterSettings.suit": effect(
        PROGRESSIVE_TABLE, "sensor = 2", 'sensor = 2\nsuit = "spades"', "jackpots lucky-ladies-progressive"
    ),
    "MeterSettings.posted": effect(
        PROGRESSIVE_TABLE, '"$10,000" }', '"$20,000" }', "rules card lucky-ladies-progressive"
    ),
    "MeterSettings.rate": effect(
        PROGRESSIVE_TABLE, '\nrate = "15%"', '\nrate = "10%"', "jackpots lucky-ladies-progressive"
    ),
    "MeterSettings.reserve_rate": effect(
        PROGRESSIVE_TABLE, 'reserve_rate = "5%"', 'reserve_rate = "1%"', "jackpots lucky-ladies-progressive"
    ),
    "MeterSettings.cap": effect(
        PROGRESSIVE_TABLE, 'cap = "$100,000"', 'cap = "$50,000"', "jackpots lucky-ladies-progressive"
    ),
    "MeterSettings.largest_contribution": effect(
        PROGRESSIVE_TABLE,
        'largest_contribution = "$0.20"',
        'largest_contribution = "$0.30"',
        "jackpots lucky-ladies-progressive",
    ),
    # The law; the last limits of a file are the newest.
    "Limits.since": effect(WASHINGTON, "since = 2023-08-19", "since = 2023-09-19", "jackpots lucky-ladies"),
    "Limits.citation": newest(
        "citation", '"WAC 230-15-040 and 230-15-140 (2023)', '"WAC 230-15', "notices lucky-ladies"
    ),
    "Limits.confirmed": newest("confirmed", "false", "true", "notices lucky-ladies"),
    "Limits.largest_wager": newest("largest_wager", '"$400"', '"$300"', "check"),
    "Limits.largest_bonus_wager": newest("largest_bonus_wager", '"$100"', '"$50"', "check"),
    "Limits.smallest_wager": newest("smallest_wager", '"$1"', '"$2"', "check"),
    "Limits.jackpot_wagers": newest("jackpot_wagers", '["$1", "$5"]', '["$5"]', "check"),
    "Limits.games_a_hand": newest("games_a_hand", "6", "5", "notices lucky-ladies"),
    "Limits.small_games_a_hand": newest("small_games_a_hand", "3", "4", "notices lucky-ladies"),
    "Limits.small_wager": newest("small_wager", '"$5"', '"$100"', "notices lucky-ladies"),
    "Limits.progressives": newest("progressives", "true", "false", "check"),
    "Limits.aggregate_counts_odds_up_to": newest("aggregate_counts_odds_up_to", "50", "60", "check", LIMITED),
    "Limits.second_person_from": newest("second_person_from", '"$500"', '"$600"', "jackpots lucky-ladies"),
    "Limits.escrow_deposit_days": newest("escrow_deposit_days", "7", "8", "jackpots lucky-ladies"),
    "Jurisdiction.slug": effect(HAMPSHIRE, 'slug = "new-hampshire"', 'slug = "hampshire"', "check"),
    "Jurisdiction.name": effect(HAMPSHIRE, 'name = "New', 'name = "The state of New', "upcard controls the-brook"),
    "Jurisdiction.house_jackpot_winners": effect(
        WASHINGTON,
        '"each in full"',
        '"as the filing says"',
        "jackpots lucky-ladies",
        {LADIES_TABLE: {"\n[[wager]]": '\n[readings]\nR14 = "seat-order"\n\n[[wager]]'}},
    ),
    "Jurisdiction.approved_models": effect(
        WASHINGTON, "\n[[limits]]", '\n[approved_models]\n"automatic shuffler" = ["Riffle 9"]\n\n[[limits]]', "check"
    ),
    # Paytables.
    "Published.figure": effect(
        DOUBLE_ACTION, 'figure = "house advantage"', 'figure = "return to player"', "upcard audit DA2/1"
    ),
    "Published.printed": effect(DOUBLE_ACTION, 'printed = "3.48%"', 'printed = "3.49%"', "upcard audit DA2/1"),
    "Published.event": effect(
        ROYALS, 'event = "king-and-queen"', 'event = "face-cards"', "upcard audit 000 Suited Royals"
    ),
    "Published.decks": effect(
        DOUBLE_ACTION, 'printed = "3.48%" }', 'printed = "3.48%", decks = 4 }', "upcard audit DA2/1"
    ),
    "Common.wager": effect(
        DOUBLE_ACTION, 'wager = "double-action"', 'wager = "second-action"', "upcard paytables DA2/1"
    ),
    "Common.filing": effect(DOUBLE_ACTION, 'filing = "004"', 'filing = "005"', "upcard paytables DA2/1"),
    "Common.place": effect(DOUBLE_ACTION, 'place = "Appendix A"', 'place = "Page 3"', "upcard paytables DA2/1"),
    "Common.basis": effect(DOUBLE_ACTION, 'basis = "to 1"', 'basis = "for 1"', "upcard odds DA6/1"),
    "Common.decks": effect(JACKPOTS, 'name = "PT-BJS-LL-34" ... decks = "4-8"', 'decks = "8"', "check"),
    "Common.jackpot": effect(JACKPOTS, 'jackpot = "Lucky Ladies Jackpot"', 'jackpot = "Ladies"', "check"),
    "Common.printed_wager": effect(
        JACKPOTS, 'printed_wager = "$1"', 'printed_wager = "$2"', "upcard odds PT-BJS-LL-34"
    ),
    "Common.readings": effect(
        DOUBLE_ACTION, 'readings = ["R15", "R17"]', 'readings = ["R15"]', "upcard paytables DA2/1"
    ),
    "Common.notes": effect(MADNESS, "notes = ['The", "notes = ['Our", "upcard paytables MM4/1"),
    "PaytableEntry.name": effect(DOUBLE_ACTION, 'name = "DA6/1"', 'name = "DA 61"', "check"),
    "PaytableEntry.pays": effect(
        ROYALS, "pays]\nqueen-of-hearts-pair = 100", "pays]\nqueen-of-hearts-pair = 50", "rounds 000-C15"
    ),
    "PaytableEntry.titles": effect(
        ROYALS, 'titles]\nqueen-of-hearts-pair = "Q', 'titles]\nqueen-of-hearts-pair = "A q', "rounds 000-C15"
    ),
    "PaytableHead.titles": effect(DOUBLE_ACTION, "[titles]\nsuited", "[titles]\n# suited", "upcard paytables DA6/1"),
    # Readings.
    "Option.means": effect("readings", 'means = "hit soft 17 only', 'means = "soft 17 is hit', "rules card the-brook"),
    "Option.rules": effect("readings", 'rules = { soft17 = "hit" }', 'rules = { soft17 = "stand" }', "check"),
    "Reading.filings": effect("readings", 'filings = ["000", "001", "002"]', 'filings = ["000", "001"]', "check"),
    "Reading.question": effect("readings", 'question = "The dealer', 'question = "A dealer', "rules card the-brook"),
}
