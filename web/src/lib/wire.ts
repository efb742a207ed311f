/** The API's types that the pages use, under the pages' names. `make types` generates schema.d.ts. */
import type { components } from "./schema";

type Schemas = components["schemas"];

/** A code with its parameters beside it. */
export type Coded = Readonly<Record<string, unknown>>;
export type LayoutCard = Schemas["LayoutCard"];
export type Circle = Schemas["CircleCard"];
export type Me = Schemas["Me"];
export type OwnSession = Schemas["OwnSessionLine"];
export type TableView = Schemas["State"];
export type RoundView = Schemas["RoundState"];
export type Choice = Schemas["Choice"];
export type Mine = Schemas["Mine"];
export type Slip = Schemas["SlipSent"];
export type ShownChips = Schemas["ChipsShown"]["spots"];
export type Signs = Omit<Schemas["MetersShown"], "type" | "table">;
export type Hint = Schemas["Hint"];
export type HintsReady = Schemas["HintsReady"];
export type FromClient = Schemas["FromClient"];
export type TableLine = Schemas["TableLine"];
export type JackpotLine = Schemas["JackpotLine"];
export type TableShort = Schemas["TableShort"];
export type FinishedRound = Schemas["RoundSent"];
export type RoundShort = Schemas["RoundShort"];
export type RoundPage = Schemas["RoundPage"];
export type Statistics = Schemas["Statistics"];
export type Replay = Schemas["Replay"];
export type CircleFacts = Schemas["CircleFacts"];
export type MainRules = Schemas["MainRulesCard"];
export type ShoeShort = Schemas["ShoeSent"];
export type ShoeEvidence = Schemas["ShoeEvidence"];
export type HoldOfDay = Schemas["HoldOfDay"];
export type FromServer =
  | Schemas["Overview"]
  | Schemas["Lobby"]
  | Schemas["Snapshot"]
  | Schemas["Events"]
  | Schemas["ChipsShown"]
  | Schemas["MetersShown"]
  | Schemas["AnswerMessage"]
  | Schemas["RefusedMessage"]
  | Schemas["ProblemMessage"]
  | Schemas["Pong"];

/** An event as the felt draws it: unknown events are ignored. */
export interface GameEvent {
  event: string;
  [field: string]: unknown;
}
