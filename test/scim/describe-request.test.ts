import { describeRequest } from "../../src/scim/requests/describe-request.ts";

const ID = "0a21f0f2-8d2a-4f8e-bf98-000000000001";

function pathOf(path: string, query = ""): string {
  const segments = path.split("/");
  const about = { at: new Date(0), sender: "", isTrial: false };
  return describeRequest({ method: "GET", segments, query }, { status: 200 }, about).path;
}

const filtered = (filter: string) => pathOf("Users", new URLSearchParams({ filter }).toString());

test.each([
  ['username eq "ada@acme.example"', "userName eq"],
  [
    'userName eq "a" and (emails.value sw "ada" or not (active eq true))',
    "userName eq and (emails.value sw or not (active eq))",
  ],
  ['emails[type eq "work" and value co "lovelace"]', "emails.type eq and emails.value co"],
  ['members.value eq "ada"', "members.value eq"],
  ["title pr", "title pr"],
  ['lovelace eq "ada"', "… eq"],
  ['userName eq "ada', "…"],
  ["userName eq ada", "…"],
  ["ada lovelace", "…"],
])("of the filter %s, the log has %s", (filter, shown) => {
  expect(filtered(filter)).toBe(`/Users?filter=${shown}`);
});

test("of a path, the log has only what the service has named", () => {
  expect(pathOf("Users", "startIndex=1&count=100&attributes=ada&sortBy=ada")).toBe("/Users?startIndex=1&count=100");
  expect(pathOf("Users", "count=ada")).toBe("/Users");
  expect([pathOf(`Users/${ID}`), pathOf("Users/ada@acme.example")]).toEqual([`/Users/${ID}`, "/Users/…"]);
  expect([pathOf(`Groups/${ID}.ZWRpdG9y`), pathOf("Users/.search")]).toEqual([
    `/Groups/${ID}.ZWRpdG9y`,
    "/Users/.search",
  ]);
  expect([pathOf("ada"), pathOf(""), pathOf("Schemas/Group")]).toEqual(["/…", "/…", "/Schemas/Group"]);
});

test("texts of the directory are bounded", () => {
  const about = { at: new Date(0), sender: "é\0".repeat(300), isTrial: false };
  const body = { detail: "\ud83d\ude00".repeat(600) };
  const { method, sender, detail } = describeRequest(
    { method: "ADA LOVELACE", segments: ["Users"], query: "" },
    { status: 400, body },
    about,
  );
  expect(method).toBe("…");
  expect([sender, detail]).toEqual(["é".repeat(100), body.detail.slice(0, 500)]);
});
