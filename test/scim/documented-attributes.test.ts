import { readFileSync } from "node:fs";
import type { Attribute } from "../../src/scim/protocol/attributes.ts";
import { READ_SCHEMAS } from "../../src/scim/users/user-schemas.ts";

/** An attribute with its sub-attributes instead, unless it is stored as a whole. */
function rowsOf(attribute: Attribute, prefix = ""): string[] {
  const { name, description, subAttributes = [], multiValued = false, key } = attribute;
  const path = `${prefix}${name}`;
  if (subAttributes.length > 0 && !multiValued && key === undefined) {
    return subAttributes.flatMap((each) => rowsOf(each, `${path}.`));
  }
  return [`| \`${path}\` | ${description}${attribute.isReadOnly ? "; read-only" : ""} |`];
}

test("docs/scim.md lists the attributes of users", () => {
  const [, table] =
    /\n\| attribute \| is \|\n\|---\|---\|\n((?:\|.*\n)*)/.exec(readFileSync("docs/scim.md", "utf8")) ?? [];
  const rows = READ_SCHEMAS.flatMap(({ attributes }) => attributes.flatMap((attribute) => rowsOf(attribute)));
  expect(table?.trim().split("\n")).toEqual(rows);
});
