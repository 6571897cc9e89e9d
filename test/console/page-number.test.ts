import { readPage } from "../../console/parts/page-number.ts";

test.each([
  ["", 1],
  ["page=1", 1],
  ["page=3", 3],
  ["page=0", 1],
  ["page=-2", 1],
  // A part of a page would be no whole number of objects to skip.
  ["page=1.01", 1],
  ["page=1e308", 1],
  ["page=Infinity", 1],
  ["page=two", 1],
] as const)("%s is page %i", (text, page) => {
  expect(readPage(new URLSearchParams(text))).toBe(page);
});
