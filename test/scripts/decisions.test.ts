import { readFileSync } from "node:fs";

const TEXT = readFileSync("docs/decisions.md", "utf8");

test("docs/decisions.md has at most 80 entries; what only one file needs is a comment there", () => {
  const entries = TEXT.match(/^- \*\*/gm) ?? [];
  expect(entries.length).toBeGreaterThan(0);
  expect(entries.length).toBeLessThanOrEqual(80);
});

test("docs/decisions.md starts with a glossary of ten words", () => {
  const [, glossary = ""] = /\n## Words\n(.*?)\n## /s.exec(TEXT) ?? [];
  expect(glossary.match(/^\| [a-z, ]+ \| /gm)).toHaveLength(11);
  expect(TEXT.indexOf("## Words")).toBe(TEXT.indexOf("## "));
});
