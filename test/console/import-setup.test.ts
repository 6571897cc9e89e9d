import { CHOICES, EMPTY, toCommand, toOptions } from "../../console/screens/import/setup.ts";
import { SOURCES } from "../../src/moving/sources.ts";

test("every source of the command can be chosen", () => {
  expect(Object.keys(CHOICES).sort()).toEqual(Object.keys(SOURCES).sort());
});

test("the defaults are those of the command", () => {
  const common = { names: [], messages: "send", dropInvalid: [], allowShared: [], orgs: {}, idps: {}, map: {} };
  expect(toOptions(EMPTY, true)).toEqual({ ...common, subjects: "given" });
  expect(toOptions({ ...EMPTY, from: "auth0" }, true)).toEqual({ ...common, subjects: "ids" });
});

test("somebody without a role in the instance cannot keep the ids that applications have seen", () => {
  expect(toOptions({ ...EMPTY, subjects: "given" }, false).subjects).toBe("new");
});

test("options of other sources are left out, and so are empty ones", () => {
  const values = {
    ...EMPTY,
    ...{ rpId: " example.com ", map: ["Mail=email", "a=b=userName", "nothing", "=x"], signerKey: "key" },
    ...{ defaultRegion: "ch", idps: { google: "1", corp: "" } },
  };
  expect(toOptions({ ...values, from: "keycloak" }, true)).toMatchObject({
    ...{ rpId: "example.com", map: { Mail: "email", "a=b": "userName" }, defaultRegion: "CH", idps: { google: "1" } },
  });
  const auth0 = toOptions({ ...values, from: "auth0" }, true);
  expect([auth0.map, auth0.rpId, auth0.firebase]).toEqual([{}, undefined, undefined]);
  expect(toOptions({ ...values, from: "firebase" }, true).firebase).toEqual({
    ...{ signerKey: "key", saltSeparator: "Bw==", rounds: 8, memCost: 14 },
  });
});

test("the command for a large file has the same options", () => {
  const options = toOptions(
    { ...EMPTY, names: ["split", "placeholder"], map: ["E-mail address=email"], messages: "none", update: true },
    true,
  );
  const parts = { files: ["all users.csv"], from: "csv", issuer: "https://id.example.com", orgId: "7", options };
  expect(toCommand(parts)).toBe(
    [
      "signet users import 'all users.csv' --from csv",
      "--url https://id.example.com --token-file admin.token",
      "--org 7",
      "--subjects given",
      "--messages none",
      "--names split,placeholder",
      "--map 'E-mail address=email'",
      "--update",
    ].join(" \\\n  "),
  );
});
