/** Refusals that name a player, as they are said to that player. */
export const OWN_SENTENCES: Readonly<Record<string, string>> = {
  SPOTS_APART: "your spots must be next to each other",
  NOT_ADJACENT: "you may take only a spot next to your own",
  SEATS_APART: "your spots must stay next to each other",
  NOT_SEATED: "you do not sit at this table",
  PLAYER_NOT_ENOUGH: "you are {short:money} short",
  WINNINGS_HELD:
    "you are {short:money} short: {held:money} won in this round can be staked in it, and taken away only after it",
  PLAYER_DISABLED: "your account is disabled: ask the floor to enable it",
  NOT_YOURS: "you are not seated at spot {spot}",
  NO_CALL: "you have not called the floor",
};
