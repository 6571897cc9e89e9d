import { readdirSync, readFileSync } from "node:fs";

test("README.md names tests that exist", () => {
  const [, table = ""] =
    /\n\| directory \| sends \| source \| test \|\n\|---.*\n((?:\|.*\n)*)/.exec(
      readFileSync("test/scim/README.md", "utf8"),
    ) ?? [];
  const titles = table.match(/(?<=\| )[^|]+(?= \|\n)/g) ?? [];
  const tests = readdirSync("test/scim")
    .filter((file) => file.endsWith(".wire.test.ts"))
    .map((file) => readFileSync(`test/scim/${file}`, "utf8"));
  const unknown = titles.filter((title) => !tests.some((text) => text.includes(`"${title}"`)));
  expect({ isTable: titles.length > 10, unknown }).toEqual({ isTable: true, unknown: ["each of these tests"] });
});
