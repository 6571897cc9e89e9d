import { openPages } from "./page-plans.ts";

let pages: Awaited<ReturnType<typeof openPages>>;
beforeAll(async () => {
  pages = await openPages("postgres", 1_000_000);
});
afterAll(() => pages?.close());

test("no page of the console reads more rows than it has to, with a million users", async () => {
  expect(await pages.findReadingTooMuch()).toEqual({});
});
