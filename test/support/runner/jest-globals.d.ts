import type * as jestGlobals from "@jest/globals";

// The runner sets them (jest-light-runner); importing @jest/globals works only in Jest's own runner.
declare global {
  var afterAll: typeof jestGlobals.afterAll;
  var afterEach: typeof jestGlobals.afterEach;
  var beforeAll: typeof jestGlobals.beforeAll;
  var beforeEach: typeof jestGlobals.beforeEach;
  var describe: typeof jestGlobals.describe;
  var expect: typeof jestGlobals.expect;
  var jest: Pick<typeof jestGlobals.jest, "spyOn">;
  var test: typeof jestGlobals.test;
}
