import { readFileSync } from "node:fs";
import { ImportHumanUserRequest_ProfileSchema } from "../../gen/signet/v1/management_pb.js";
import { UpdateHumanProfileRequestSchema } from "../../gen/signet/v1/user_change_pb.js";
import { ProfileSchema } from "../../gen/signet/v1/user_pb.js";
import { PROFILE } from "../../src/database/profile.ts";
import { EVENT_TEXTS } from "../../src/events/catalogue.ts";
import { isReadPermission } from "../../src/roles.ts";
import { createRpcs, type RpcParts } from "../../src/rpcs.ts";

const API = readFileSync("docs/api.md", "utf8");
const [, CATALOG = "", OPERATIONS = ""] =
  /\n## Catalog\n(.*)\n## Events of each operation\n(.*)/s.exec(readFileSync("docs/events.md", "utf8")) ?? [];
const RPCS = createRpcs({} as RpcParts);

/** The cells of the rows of all tables in a text. */
function cellsOf(text: string): string[][] {
  const rows = text.split("\n").filter((line) => line.startsWith("| "));
  return rows.map((row) => row.split(" | "));
}

/** The rows of a table that name something in their first cell. */
function rowsOf(text: string, name: string): string[][] {
  return cellsOf(text).filter(([first]) => first?.includes(`\`${name}\``));
}

test("docs/api.md has a row with the permission of each call, and links its section", () => {
  const headings = API.split("\n")
    .filter((line) => /^#{2,4} /.test(line))
    .flatMap((heading) => heading.split(/[ ,]+/));
  const rows = cellsOf(API);
  const problems = RPCS.flatMap(({ desc: { name, parent }, permission }) => {
    const found = rows.filter(([first]) => first?.startsWith(`| [\`${parent.name}.${name}\`](#`));
    return [
      ...(found.length === 1 ? [] : [`${name} has ${found.length} rows`]),
      ...(found[0]?.[2] === `\`${permission}\``
        ? []
        : [`${name} has the permission ${found[0]?.[2]}, not ${permission}`]),
      ...(headings.includes(name) ? [] : [`${name} has no section`]),
    ];
  });
  expect(problems).toEqual([]);
  expect(RPCS.length).toBeGreaterThan(200);
});

test("docs/events.md has a row with the events of each call that changes data", () => {
  const writing = RPCS.filter(({ permission }) => !isReadPermission(permission)).map(({ desc }) => desc.name);
  expect(writing.filter((name) => rowsOf(OPERATIONS, name).length !== 1)).toEqual([]);
  expect(writing.length).toBeGreaterThan(100);
});

test("docs/events.md has a row with the payload of each event", () => {
  const types = Object.keys(EVENT_TEXTS);
  expect(types.filter((type) => rowsOf(CATALOG, type).length !== 1)).toEqual([]);
  expect(types.length).toBeGreaterThan(100);
});

test.each([
  ["the message of an import", ImportHumanUserRequest_ProfileSchema.fields],
  ["the message of a change", UpdateHumanProfileRequestSchema.fields.filter(({ name }) => name !== "user_id")],
  ["the message of a response", ProfileSchema.fields.filter(({ localName }) => localName !== "avatarUrl")],
] as const)("the table of profile fields and %s agree", (_, fields) => {
  expect(fields.map(({ localName, name }) => [localName, name]).sort()).toEqual(
    Object.entries(PROFILE)
      .map(([localName, { column }]) => [localName, column])
      .sort(),
  );
});

test("the documents have each profile field", () => {
  const [changed = []] = cellsOf(CATALOG).filter(([first]) => first === "| `user.human.profile.changed`");
  const section = /\n### UpdateHumanProfile\n(.*?)\n### /s.exec(API)?.[1];
  const missing = Object.keys(PROFILE).flatMap((name) => [
    ...(changed[1]?.includes(`\`${name}\``) ? [] : [`${name} in docs/events.md`]),
    ...(section?.includes(`\`${name}\``) ? [] : [`${name} in docs/api.md`]),
  ]);
  expect(missing).toEqual([]);
});
