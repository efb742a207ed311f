import { expect, it } from "vitest";
import { errorSentence, errorText } from "./errorText";

it("is a sentence where it stands alone, and the error's own words elsewhere", () => {
  expect(errorSentence(new Error("the table is closed"))).toBe("The table is closed.");
  expect(errorSentence(new Error("Who are you?"))).toBe("Who are you?");
  expect(errorText(new Error("the table is closed"))).toBe("the table is closed");
  expect(errorSentence("")).toBe("");
});
