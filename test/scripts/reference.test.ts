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

test.each(RPCS.map(({ desc, permission }) => [desc.name, desc, permission] as const))(
  "docs/api.md has a row with the permission of %s, and links its section",
  (name, desc, permission) => {
    const service = desc.parent.name;
    const [row = [], ...more] = cellsOf(API).filter(([first]) => first?.startsWith(`| [\`${service}.${name}\`](#`));
    expect(more).toEqual([]);
    expect(row[2]).toBe(`\`${permission}\``);
    const headings = API.split("\n").filter((line) => /^#{2,4} /.test(line));
    expect(headings.some((heading) => heading.split(/[ ,]+/).includes(name))).toBe(true);
  },
);

test.each(RPCS.filter(({ permission }) => !isReadPermission(permission)).map(({ desc }) => desc.name))(
  "docs/events.md has the events of %s",
  (name) => {
    expect(cellsOf(OPERATIONS).filter(([first]) => first?.includes(`\`${name}\``))).toHaveLength(1);
  },
);

test.each(Object.keys(EVENT_TEXTS))("docs/events.md has the payload of %s", (type) => {
  expect(cellsOf(CATALOG).filter(([first]) => first?.includes(`\`${type}\``))).toHaveLength(1);
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

test.each(Object.keys(PROFILE))("the documents have the profile field %s", (name) => {
  const [changed = []] = cellsOf(CATALOG).filter(([first]) => first === "| `user.human.profile.changed`");
  expect(changed[1]).toContain(`\`${name}\``);
  const section = /\n### UpdateHumanProfile\n(.*?)\n### /s.exec(API)?.[1];
  expect(section).toContain(`\`${name}\``);
});
