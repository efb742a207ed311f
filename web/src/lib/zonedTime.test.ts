import { expect, test } from "vitest";
import { instantIn, nextDay } from "./zonedTime";

test("a time is read in the zone of the house, in summer and in winter", () => {
  expect(instantIn("America/New_York", "2026-07-04T15:00")).toBe("2026-07-04T19:00:00.000Z");
  expect(instantIn("America/New_York", "2026-11-18T15:00")).toBe("2026-11-18T20:00:00.000Z");
  expect(instantIn("Asia/Tokyo", "2026-11-18T15:00:30")).toBe("2026-11-18T06:00:30.000Z");
});

test("of an hour that comes twice, the first is meant; one that never comes is read as if the clock had not moved", () => {
  expect(instantIn("America/New_York", "2026-11-01T01:30")).toBe("2026-11-01T05:30:00.000Z");
  expect(instantIn("America/New_York", "2026-03-08T02:30")).toBe("2026-03-08T07:30:00.000Z");
});

test("a day is followed by the next, also where clocks change and months end", () => {
  expect(["2026-03-08", "2026-10-31", "2027-12-31"].map(nextDay)).toEqual(["2026-03-09", "2026-11-01", "2028-01-01"]);
});
