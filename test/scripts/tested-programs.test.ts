import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { CLIENTS, EXAMPLES, KEYCLOAK, OTHERS } from "../foreign/programs.ts";

const PAGE = readFileSync("examples/tested-programs.md", "utf8");
const ROWS = PAGE.split("\n")
  .filter((line) => /^\| [a-z]/.test(line))
  .map((line) => line.split(" | "));

const PROGRAMS = [...CLIENTS, ...EXAMPLES, ...OTHERS, ...KEYCLOAK];

test("examples/tested-programs.md has the programs that CI runs, in their order", () => {
  const programs = PROGRAMS.map(({ name }) => `| ${name}`);
  expect(ROWS.map(([name]) => name)).toEqual(["| program", ...programs]);
});

test("the versions of each program in examples/tested-programs.md are those that CI runs", () => {
  const wrong = PROGRAMS.flatMap(({ name, script }) => {
    const [, version = ""] = ROWS.find(([first]) => first === `| ${name}`) ?? [];
    const folder = dirname(script);
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    const texts = ["package.json", ...files.map((file) => `${folder}/${file.name}`)].map((file) =>
      readFileSync(file, "utf8"),
    );
    const versions = version.match(/\d+\.[\d.*]+/g) ?? [];
    return versions
      .filter((number) => !texts.some((text) => text.includes(number)))
      .map((number) => `${name} ${number}`);
  });
  expect(wrong).toEqual([]);
});

test("examples/tested-programs.md has the versions of the clients in package.json", () => {
  const named = [...PAGE.slice(PAGE.lastIndexOf("\n\n`npm test`")).matchAll(/`([\w@/-]+)` (\d+\.\d+\.\d+)/g)];
  expect(named.length).toBeGreaterThan(4);
  const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const [, name = "", version] of named) {
    expect([name, { ...dependencies, ...devDependencies }[name]]).toEqual([name, version]);
  }
});
