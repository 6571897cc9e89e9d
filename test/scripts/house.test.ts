import { readdirSync, readFileSync } from "node:fs";

const [, picture = ""] =
  /\nThe folders of `src`[^\n]*\n+```\n(.*?)```/s.exec(readFileSync("docs/README.md", "utf8")) ?? [];
/** The words of each line up to its description. */
const shown = picture
  .trim()
  .split("\n")
  .flatMap((line) => line.split("  ", 1).flatMap((names) => names.split(" ")));

test("the picture in docs/README.md has each folder of src", () => {
  const folders = readdirSync("src", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect([...shown].sort()).toEqual(folders.map(({ name }) => name).sort());
});

test("the picture has the order in which folders may import each other", () => {
  const [, rooms = ""] = /\nconst ROOMS = \[\n(.*?)\n\];/s.exec(readFileSync("scripts/check-rooms.js", "utf8")) ?? [];
  const names = [...rooms.matchAll(/"([a-z-]+)"/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(shown.filter((name) => names.includes(name))).toEqual(names);
});
