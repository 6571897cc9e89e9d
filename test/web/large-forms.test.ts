import { createLargeForms } from "../../src/web/large-forms.ts";

const ADDRESS = "192.0.2.1";
const reasonOf = (act: () => void) => {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as { reason?: string }).reason;
  }
};

test("one address holds eight forms, and all hold 32, until they are released", () => {
  const forms = createLargeForms(() => 0);
  const hold = (address: string, holder = {}) => reasonOf(() => forms.hold(holder, address));
  const first = {};
  expect(hold(ADDRESS, first)).toBeUndefined();
  for (let count = 1; count < 8; count++) expect(hold(ADDRESS)).toBeUndefined();
  expect(hold(ADDRESS)).toBe("UNAVAILABLE");
  forms.release(first);
  forms.release(first);
  expect([hold(ADDRESS), hold(ADDRESS)]).toEqual([undefined, "UNAVAILABLE"]);
  for (let count = 8; count < 32; count++) expect(hold(`192.0.2.${count}`)).toBeUndefined();
  expect(hold("198.51.100.1")).toBe("UNAVAILABLE");
});

test("an address sends 20 MB at once, and 200 KB per second", () => {
  let now = 0;
  const forms = createLargeForms(() => now);
  const send = (address: string, bytes: number) => {
    const holder = {};
    const reason = reasonOf(() => forms.hold(holder, address));
    if (reason === undefined) forms.count(address, bytes);
    forms.release(holder);
    return reason;
  };
  for (let count = 0; count < 10; count++) expect(send(ADDRESS, 2_000_000)).toBeUndefined();
  expect([send(ADDRESS, 1), send("192.0.2.2", 1)]).toEqual(["TOO_MANY_REQUESTS", undefined]);
  now = 1_000;
  expect([send(ADDRESS, 200_000), send(ADDRESS, 1)]).toEqual([undefined, "TOO_MANY_REQUESTS"]);
});
