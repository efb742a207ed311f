"""Shoes of a table: committed to before the first wager, shuffled and cut with it, and revealed at the end."""

from typing import assert_never

from upcard.cards import DECK
from upcard.cards.shoe import Margins, Shuffle, brick, commitment, new_shoe
from upcard.frozen import replace
from upcard.pit import orders as o
from upcard.pit.terms import margins
from upcard.service import commands as s
from upcard.service.live_table import LiveTable
from upcard.service.refusals import ServiceRefusal, ServiceRefused
from upcard.service.stored_events import table_event
from upcard.service.table_draft import TableDraft, handles
from upcard.service.table_seats import check_seated

DEALT_BY_HAND = table_event("dealt-by-hand")
DECKS_TO_VERIFY = table_event("decks-to-verify", decks="int")  # by the dealer of a table dealt by hand
DECKS_VERIFIED = table_event("decks-verified", decks="int")
SHOE_COMMITTED = table_event("shoe-committed", shoe="int", commitment="text")
SHOE_PROMISED = table_event("shoe-promised", shoe="int", commitment="text")  # the one after the shoe that begins
CUT_CHOSEN = table_event("cut-chosen", player="text", words="text", place="int?")
SHOE_BEGUN = table_event("shoe-begun", shoe="int", cards="int", nonce="text", cut="int", rules="text")
SHOE_OF_REVISION = table_event("shoe-of-revision", shoe="int", revision="int")  # of the house's catalog
GAMING_DAY_BEGAN = table_event("gaming-day-began", day="text")
SHOE_REVEALED = table_event("shoe-revealed", shoe="int", key="text", nonce="text", cut="int?")


def first_shoe(draft: TableDraft) -> None:
    """Verifies the decks and commits to the first shoe; at a table dealt by hand, the dealer does both."""
    if draft.live.table.dealt_by_hand:
        withdraw_promise(draft)
        draft.add_event(DEALT_BY_HAND)
        verify_decks(draft)
    else:
        verify_decks(draft)
        commit_to_next_shoe(draft)


def verify_decks(draft: TableDraft) -> None:
    """000 to 002: before the day's first shoe, every deck is found to be 52 different cards."""
    rules = draft.live.rules
    if not rules.game.shuffle.verify_decks:
        return
    if draft.live.table.dealt_by_hand:
        draft.add_event(DECKS_TO_VERIFY, decks=rules.layout.decks)
    else:
        brick([DECK] * rules.layout.decks)
        draft.add_event(DECKS_VERIFIED, decks=rules.layout.decks)


def change_shoe(draft: TableDraft, before: LiveTable) -> None:
    """After a shoe, reveals its key and commits to the next one."""
    live = draft.live
    if not live.opened or live.table.dealt_by_hand:
        return
    ends = live.table.closed and not before.table.closed  # reveal also a shoe that was never begun
    if live.shuffle is not None or ends:
        reveal_shoe(draft)
    if live.shuffle is not None and not live.table.closed:
        commit_to_next_shoe(draft)


def commit_to_next_shoe(draft: TableDraft) -> None:
    """Commits to the next shoe. If it was promised, its key is the one promised."""
    number = draft.live.shoe + 1
    key = draft.keys(draft.live.name, number)
    draft.live = replace(draft.live, shoe=number, promised=0, words={}, cut=None)
    draft.add_event(SHOE_COMMITTED, shoe=number, commitment=commitment(key))


def _promise_next_shoe(draft: TableDraft) -> None:
    """When a shoe begins, publishes the commitment to the one after it, so that its key cannot be chosen later."""
    match draft.live.rules.behaviour.next_shoe_key:
        case "drawn-after-the-shoe":
            return
        case "promised-when-the-shoe-begins":
            number = draft.live.shoe + 1
            promise = draft.keys.commitment(draft.live.name, number)
            draft.live = replace(draft.live, promised=number)
            draft.add_event(SHOE_PROMISED, shoe=number, commitment=promise)
        case _:
            assert_never(draft.live.rules.behaviour.next_shoe_key)


def withdraw_promise(draft: TableDraft) -> None:
    """Reveals the key of a promised shoe that will not be dealt; its number is used up."""
    number = draft.live.promised
    if not number:
        return
    key = draft.keys(draft.live.name, number)
    draft.revealed.append((number, key))
    draft.add_event(SHOE_REVEALED, shoe=number, key=key.hex(), nonce="", cut=None)
    draft.live = replace(draft.live, shoe=number, promised=0)


def reveal_shoe(draft: TableDraft) -> None:
    """Reveals the key of the current shoe, however far it was dealt."""
    live = draft.live
    if live.table.dealt_by_hand:
        return
    key = live.shuffle.key if live.shuffle else draft.keys(live.name, live.shoe) if live.shoe else None
    if key is None:
        return
    draft.revealed.append((live.shoe, key))
    nonce, cut = (live.shuffle.nonce.hex(), live.shuffle.cut) if live.shuffle else ("", None)
    draft.add_event(SHOE_REVEALED, shoe=live.shoe, key=key.hex(), nonce=nonce, cut=cut)
    draft.live = replace(draft.live, shuffle=None, pile=(), drawn=0, refills=0)


def begin_shoe(draft: TableDraft) -> None:
    """Shuffles with the players' words, and cuts where a player chose, or in the middle."""
    live = draft.live
    allowed = cut_margins(live)
    nonce = "\n".join(f"{player} {text}" for player, text in sorted(live.words.items())).encode()
    cut = _cut_without_a_player(live, allowed) if live.cut is None else live.cut
    shuffle = Shuffle(key=draft.keys(live.name, live.shoe), nonce=nonce, cut=cut)
    shoe = new_shoe(live.table.layout.decks, shuffle, allowed)
    draft.live = replace(live, shuffle=shuffle, pile=shoe.order, drawn=0, refills=0, shoe_day=day_of_new_shoe(draft))
    draft.say(o.NewShoe(shoe.cut_card))
    cards = len(shoe.order)
    draft.add_event(SHOE_BEGUN, shoe=live.shoe, cards=cards, nonce=nonce.hex(), cut=cut, rules=live.rules.hash)
    draft.begun.append(live.shoe)
    name_revision(draft)
    _promise_next_shoe(draft)


def name_revision(draft: TableDraft) -> None:
    """A shoe names the revision of the house's catalog that it is dealt by, if one is published."""
    if draft.live.revision:
        draft.add_event(SHOE_OF_REVISION, shoe=draft.live.shoe, revision=draft.live.revision)


def _cut_without_a_player(live: LiveTable, allowed: Margins) -> int:
    match live.rules.behaviour.shoe_cut_without_a_player:
        case "in-the-middle":
            return allowed.middle
        case _:
            assert_never(live.rules.behaviour.shoe_cut_without_a_player)


def cut_margins(live: LiveTable) -> Margins:
    """Where the next shoe may be cut."""
    return margins(live.rules.game, live.rules.layout.decks)


def day_of_new_shoe(draft: TableDraft) -> str:
    """The gaming day on which a shoe begins, if the next day must begin with another one (000-C2, 001-C1, 002-C1)."""
    rules = draft.live.rules
    match rules.behaviour.first_hand_of_a_gaming_day:
        case "from-the-shoe-in-play":
            return ""
        case "from-a-new-shoe":
            return draft.moment.day.isoformat() if rules.game.shuffle.verify_decks else ""
        case _:
            assert_never(rules.behaviour.first_hand_of_a_gaming_day)


@handles(s.EndShoeOfDay)
def end_shoe_of_day(draft: TableDraft, command: s.EndShoeOfDay) -> None:
    """Ends the shoe of an earlier gaming day; the decks are verified, and the next shoe is committed to."""
    day = draft.moment.day.isoformat()
    if draft.live.table.round is not None or not "" < draft.live.shoe_day < day:
        raise ServiceRefused(ServiceRefusal.SHOE_OF_TODAY, table=command.table)
    draft.say(o.EndShoe())
    draft.add_event(GAMING_DAY_BEGAN, day=day)
    verify_decks(draft)


@handles(s.Cut)
def cut_next_shoe(draft: TableDraft, command: s.Cut) -> None:
    """Adds a player's words to the next shuffle, and their place of the cut."""
    check_seated(draft.live, command.player)
    if draft.live.shuffle is not None:
        raise ServiceRefused(ServiceRefusal.CUT_DECIDED)
    if draft.live.table.dealt_by_hand:
        raise ServiceRefused(ServiceRefusal.CUT_AT_THE_TABLE)
    allowed = cut_margins(draft.live)
    if command.place is not None and not allowed.least <= command.place <= allowed.most:
        bounds = {"least": allowed.least, "most": allowed.most, "place": command.place}
        raise ServiceRefused(ServiceRefusal.BAD_CUT, **bounds)
    words = {**draft.live.words, command.player: command.words} if command.words else draft.live.words
    draft.live = replace(draft.live, words=words, cut=command.place or draft.live.cut)
    draft.add_event(CUT_CHOSEN, player=command.player, words=command.words, place=command.place)
