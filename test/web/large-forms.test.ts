import { createLargeForms } from "../../src/web/large-forms.ts";

const ADDRESS = "192.0.2.1";
const reasonOf = (act: () => unknown) => {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as { reason?: string }).reason;
  }
};

test("one address holds eight places, and all hold 32", () => {
  const forms = createLargeForms(() => 0);
  const reserve = (address: string) => reasonOf(() => forms.reserve(address));
  const release = forms.reserve(ADDRESS);
  for (let count = 1; count < 8; count++) expect(reserve(ADDRESS)).toBeUndefined();
  expect(reserve(ADDRESS)).toBe("UNAVAILABLE");
  release(1);
  expect(reserve(ADDRESS)).toBeUndefined();
  for (let count = 8; count < 32; count++) expect(reserve(`192.0.2.${count}`)).toBeUndefined();
  expect(reserve("198.51.100.1")).toBe("UNAVAILABLE");
});

test("an address sends 20 MB at once, and 200 KB per second", () => {
  let now = 0;
  const forms = createLargeForms(() => now);
  for (let count = 0; count < 10; count++) forms.reserve(ADDRESS)(2_000_000);
  expect(reasonOf(() => forms.reserve(ADDRESS))).toBe("TOO_MANY_REQUESTS");
  expect(reasonOf(() => forms.reserve("192.0.2.2"))).toBeUndefined();
  now = 1_000;
  forms.reserve(ADDRESS)(200_000);
  expect(reasonOf(() => forms.reserve(ADDRESS))).toBe("TOO_MANY_REQUESTS");
});
