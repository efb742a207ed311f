/** Finds texts in the source of a page that should be in the message catalog. Used by a test only. */
import { parse } from "svelte/compiler";

interface Node {
  type: string;
  [field: string]: unknown;
}

const SHOWN = new Set([
  "aria-label",
  "title",
  "alt",
  "placeholder",
  "label",
  "aria-description",
  "aria-roledescription",
]);
const WORDS = /\p{L}{2,}/u; // a single letter is a key or a mark
const SENTENCE = /\p{L}{2,}[,.:;!?]? \p{L}/u; // a literal in code is a text if it has several words
const CAPITAL = /^\p{Lu}\p{Ll}+$/u; // or is a capitalized word

/** The texts of a Svelte file: in its markup, in attributes that are shown or read out, and in its code. */
export function textsOfPage(source: string): string[] {
  const tree = parse(source, { modern: true }) as unknown as Record<string, Node | null>;
  const found: string[] = [];
  walk(tree["fragment"], found, "markup");
  for (const script of [tree["instance"], tree["module"]]) walk(script, found, "code");
  return found;
}

/** The texts in the code of a module: literals of several words, and capitalized words. */
export function textsOfModule(source: string): string[] {
  return textsOfPage(`<script lang="ts">${source.replaceAll("</script>", "")}</script>`);
}

function walk(value: unknown, found: string[], where: "markup" | "code"): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, found, where);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const node = value as Node;
  switch (node.type) {
    case "Comment":
    case "ImportDeclaration":
    case "TSLiteralType":
    case "StyleSheet":
      return;
    case "Text":
      if (WORDS.test(String(node["data"]))) found.push(String(node["data"]).trim());
      return;
    case "Attribute":
      attribute(node, found);
      return;
    case "ThrowStatement": // for developers
      return;
    case "Literal":
      if (typeof node["value"] === "string") literal(node["value"], found);
      return;
    case "TemplateElement":
      literal(String((node["value"] as { cooked?: string }).cooked ?? ""), found);
      return;
    default:
  }
  for (const [name, child] of Object.entries(node))
    if (name !== "metadata" && name !== "loc" && name !== "leadingComments" && name !== "trailingComments")
      walk(child, found, where);
}

function attribute(node: Node, found: string[]): void {
  const shown = SHOWN.has(String(node["name"]));
  const value = node["value"];
  for (const part of Array.isArray(value) ? (value as Node[]) : [value as Node]) {
    if (typeof part !== "object" || part === null) continue;
    if (part.type === "Text") {
      if (shown && WORDS.test(String(part["data"]))) found.push(String(part["data"]));
    } else if (shown || !["class", "style"].includes(String(node["name"]))) {
      walk(part, found, "code");
    }
  }
}

function literal(text: string, found: string[]): void {
  if (SENTENCE.test(text) || CAPITAL.test(text.trim())) found.push(text);
}
