import { findNames } from "../../src/moving/converting/find-names.ts";
import type { NameRule } from "../../src/moving/options.ts";
import type { SourceUser } from "../../src/moving/source.ts";

const CASES: [string, Partial<SourceUser>, NameRule[], [string, string, NameRule?]][] = [
  ["names of the export stay", { firstName: " Ada ", lastName: "Lovelace" }, ["placeholder"], ["Ada", "Lovelace"]],
  ["nothing is made without a rule", { displayName: "Ada Lovelace", email: "ada.lovelace@x.org" }, [], ["", ""]],
  [
    "split cuts the name to show before its last word",
    { displayName: "Ada King Lovelace" },
    ["split"],
    ["Ada King", "Lovelace", "split"],
  ],
  ["split needs two words", { displayName: "Ada" }, ["split"], ["", ""]],
  [
    "split completes what is missing only",
    { firstName: "Augusta", displayName: "Ada Lovelace" },
    ["split"],
    ["Augusta", "Lovelace", "split"],
  ],
  ["from-email reads words", { email: "ada.lovelace7@x.org" }, ["from-email"], ["Ada", "Lovelace", "from-email"]],
  ["from-email needs two words", { email: "info@x.org" }, ["from-email"], ["", ""]],
  ["placeholder is a visible character", { firstName: "Ada" }, ["placeholder"], ["Ada", "-", "placeholder"]],
  [
    "rules are tried in order",
    { displayName: "Ada", email: "ada.l@x.org" },
    ["split", "from-email", "placeholder"],
    ["-", "-", "placeholder"],
  ],
];

test.each(CASES)("%s", (_title, user, rules, [firstName, lastName, rule]) => {
  const expected = rule === undefined ? { firstName, lastName } : { firstName, lastName, rule };
  expect(findNames({ sourceId: "1", ...user }, rules)).toEqual(expected);
});
