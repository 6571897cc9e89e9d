import { inOrder } from "../../../src/database/copy/read-schema.ts";

const table = (name: string, ...refersTo: string[]) => ({ name, refersTo, columns: [], key: ["id"] });

test("tables are ordered by their foreign keys", () => {
  const tables = [table("a", "b", "c"), table("b", "c"), table("c"), table("d", "elsewhere")];
  expect(inOrder(tables).map(({ name }) => name)).toEqual(["c", "d", "b", "a"]);
});

test("tables that refer to each other have no order", () => {
  expect(() => inOrder([table("a", "b"), table("b", "a")])).toThrow("the tables a, b refer to each other in a circle");
});
