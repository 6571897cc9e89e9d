import { checkApi } from "../../src/apis/check-api.ts";

test.each(["a b", 'say"so', "back\\slash", "ö", "\u0005"])("%j is not one scope, and the rule says why", (scope) => {
  const problems: string[] = [];
  const add = (field: string, description: string) => problems.push(`${field}: ${description}`);
  checkApi(
    { name: "Orders", scopes: ["orders:read", scope], introspectorAppIds: [], allowsUnregisteredClients: false },
    { add },
  );
  expect(problems).toEqual([
    'scopes[1]: must be one scope: printable ASCII characters without spaces, " and \\ (RFC 6749, section 3.3)',
  ]);
});

test("scopes and ids are stored once", () => {
  const id = "01A20053-74EB-7420-9206-5EDF837F8959";
  const settings = { name: " Orders ", scopes: ["b", "a", "b"], introspectorAppIds: [id, id.toLowerCase()] };
  const others = { allowsUnregisteredClients: false };
  expect(checkApi({ ...settings, ...others }, { add: () => {} })).toEqual({
    name: "Orders",
    scopes: ["b", "a"],
    introspectorAppIds: [id.toLowerCase()],
    ...others,
  });
});
