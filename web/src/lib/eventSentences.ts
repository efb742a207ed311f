/** The log's sentence for each stored event; empty where the log says nothing. A test compares the names with Python's. */

export const EVENTS: Readonly<Record<string, string>> = {
  // The round.
  "round-begun": "Place your bets.",
  "wager-placed": "Spot {spot}: {amount:money} on {wager}.",
  "wagers-cleared": "Spot {spot}: wagers taken back.",
  "jackpot-wagers-returned": "{wager}: wagers returned to spots {spots:list}; {stopped:coded}.",
  "flat-bet-waived": "{wager}: not needed from spots {spots:list}; {stopped:coded}.",
  "betting-closed": "No more bets.",
  "card-dealt": "Spot {spot}{hand:hand}: {card:card}.",
  "dealer-card-dealt": "Dealer: {card:card}.",
  "hole-card-dealt": "Dealer: a card face down.",
  "deal-completed": "",
  "insurance-offered": "Insurance is open.",
  insured: "Spot {spot}: insurance of {amounts:sum}.",
  "insurance-declined": "Spot {spot}: no insurance.",
  "insurance-closed": "",
  "dealer-peeked": "The dealer peeks: {blackjack:blackjack}.",
  "late-wagers-opened": "Late wagers are open.",
  "late-wagers-closed": "",
  "late-wagers-closed-before-peek": "",
  "play-began": "",
  "hand-hit": "Spot {spot}{hand:hand} hits.",
  "hand-stayed": "Spot {spot}{hand:hand} stays.",
  "hand-doubled": "Spot {spot}{hand:hand} doubles with {amounts:sum}.",
  "hand-split": "Spot {spot}{hand:hand} splits.",
  "dealer-turn-began": "",
  "hole-revealed": "Dealer turns over the {card:card}.",
  "soft-seventeen-reached": "",
  decided: "",
  "round-finished": "",
  slip: "", // see slips.ts
  "slip-reversed": "Reversed: spot {spot}{hand:hand}, {wager:wager}.",
  "round-over": "The round is void: {void:coded}; all stakes are returned, and its payments are reversed.", // if void

  // Seats.
  "spot-taken": "{player} takes spot {spot}.",
  "spot-left": "{player} leaves spot {spot}.",
  "asked-to-relinquish": "{player} is asked to give up their second and later spots: {spots:list}.",
  "flat-bet-notified": "{player} must flat bet: they may only repeat the wagers of their first hand of the shoe.",
  "player-away": "{player} is away.",
  "player-sits-out": "",
  "player-back": "{player} is back.",
  "player-ready": "",
  "dealer-logged-on": "{dealer} deals.",
  "dealer-logged-off": "{dealer} leaves the table.",
  "floor-called": "{player} calls the floor.",
  "call-answered": "The floor answers {player}'s call.",
  "timer-expired": "Time is up.",

  // The shoe.
  "shoe-committed": "",
  "shoe-promised": "",
  "book-restored": "The records were restored from a backup: the table gets a new shoe.",
  "cut-chosen": "",
  "shoe-begun": "A new shoe of {cards} cards, shuffled and cut.",
  "shoe-placed": "A new shoe of {cards} cards, shuffled and cut.",
  "shuffler-set": "The next shoe will be shuffled by {shuffler:shuffler}.",
  "last-round-announced": "This is the last round of the shoe.",
  "cut-card-out": "The cut card comes out: this is the last round of the shoe.",
  "discards-returned": "The shoe has run out: {cards} discards are reshuffled.",
  "shoe-ended": "The shoe is over.",
  "shoe-revealed": "",

  // The table.
  "table-opened": "",
  "table-closed": "",
  "table-reset": "",
  "dealt-by-hand": "",
  "decks-to-verify": "Verify every deck before the first shoe: {decks} decks of 52 different cards.",
  "decks-verified": "Every deck is verified: {decks} decks of 52 different cards.",
  "gaming-day-began": "A new gaming day has begun. It begins with a new shoe.",
  "rules-changed": "New rules take effect.",
  "revision-taken": "",
  "shoe-of-revision": "",
  "minimum-posted": "The posted minimum is {amount:money}.",
  "minimum-withdrawn": "The posted minimum of {amount:money} is withdrawn: the new rules do not allow it.",
  "closing-announced": "The game ends after this shoe.",
  "game-ended": "The table is closed.",
  "card-corrected": "Corrected: {now:card}, not {was:card}, {place:coded}.",
  "entry-taken-back": "The dealer takes back: {entry:entry}.",
};

/** What a dealer enters by hand. */
export const ENTRIES: Readonly<Record<string, string>> = {
  bet: "spot {spot} bet",
  clear: "spot {spot} clear",
  "close-betting": "betting closed",
  card: "{card:card}",
  peek: "the peek, {blackjack:blackjack}",
  insure: "spot {spot} insurance",
  "decline-insurance": "spot {spot} no insurance",
  "even-money": "spot {spot} even money",
  "close-insurance": "insurance closed",
  "close-late-wagers": "late wagers closed",
  hit: "spot {spot} hit",
  stay: "spot {spot} stay",
  double: "spot {spot} double",
  split: "spot {spot} split",
  surrender: "spot {spot} surrender",
};

/** How a hand ends. */
export const RESULTS: Readonly<Record<string, string>> = {
  blackjack: "blackjack",
  "even-money": "even money",
  win: "wins",
  push: "push",
  lose: "loses",
  "dealer-blackjack": "loses to blackjack",
  bust: "bust",
  surrender: "surrendered",
};

/** Where a round stands. */
export const PHASES: Readonly<Record<string, string>> = {
  betting: "betting",
  dealing: "dealing",
  peek: "peek",
  insurance: "insurance",
  "late-wagers": "late wagers",
  play: "play",
  dealer: "dealer",
  over: "over",
};
