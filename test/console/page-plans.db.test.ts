import { openPages } from "./page-plans.ts";

let pages: Awaited<ReturnType<typeof openPages>>;
beforeAll(async () => {
  pages = await openPages("embedded", 20_000);
});
afterAll(() => pages?.close());

test("no page of the console reads more rows than it has to, with 20,000 users in the embedded database", async () => {
  expect(await pages.findReadingTooMuch()).toEqual({});
});
