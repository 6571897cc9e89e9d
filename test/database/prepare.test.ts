import "../../src/orgs/list-orgs.ts";
import { compileStatements } from "../../src/database/prepare.ts";

test("the statements of all loaded modules are compiled, until the signal is aborted", async () => {
  expect((await compileStatements()).length).toBeGreaterThan(0);
  expect(await compileStatements(AbortSignal.abort())).toEqual([]);
});
