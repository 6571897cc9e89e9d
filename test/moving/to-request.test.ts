import { PROFILE_ENTRIES } from "../../src/database/profile.ts";
import { toRequest } from "../../src/moving/converting/to-request.ts";
import type { ImportOptions } from "../../src/moving/options.ts";
import { SERVICE_RULES } from "../../src/moving/service-rules.ts";
import { csv } from "../../src/moving/sources/csv.ts";
import { signet } from "../../src/moving/sources/signet.ts";
import { readUser } from "./sources/read.ts";

const OPTIONS: ImportOptions = {
  ...{ names: [], subjects: "ids", messages: "send", idps: { google: "7" }, orgs: {}, map: {} },
  ...{ dropInvalid: [], allowShared: [] },
};

test("a link is mapped only if its provider is named, also one that is named like a property of every object", () => {
  const links = ["google", "constructor", "__proto__"].map((provider) => ({ provider, externalUserId: "1" }));
  const { request, lost } = toRequest({ sourceId: "1", links }, OPTIONS, SERVICE_RULES);
  expect(request.idps.map(({ configId }) => configId)).toEqual(["7"]);
  expect(lost).toEqual(["link to constructor (not mapped with --idp)", "link to __proto__ (not mapped with --idp)"]);
});

/** A value in an export, by the rule of its field. */
const VALUES = { name: "Ada", language: "de", number: "female" };

test.each([
  ["signet", signet],
  ["csv", csv],
])("every field of a profile comes across from the source %s", (_name, source) => {
  const fields = PROFILE_ENTRIES.map(([name, { rule }]) => [rule === "language" ? rule : name, VALUES[rule]]);
  const user = readUser(source, { id: "1", email: "ada@example.com", ...Object.fromEntries(fields) });
  const { profile } = toRequest(user, OPTIONS, SERVICE_RULES).request;
  expect(PROFILE_ENTRIES.map(([name]) => name).filter((name) => !profile?.[name])).toEqual([]);
});
