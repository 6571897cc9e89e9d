import { toStandardClaims } from "../../src/oidc/metadata-claims.ts";

const read = (key: string, text: string) => toStandardClaims((name) => (name === key ? text : undefined))[key];

test.each([
  ["picture", "https://example.com/a.png", "https://example.com/a.png"],
  ["picture", "/a.png", undefined],
  ["profile", "http://example.com", "http://example.com"],
  ["website", "javascript:alert(1)", undefined],
  ["birthdate", "1815-12-10", "1815-12-10"],
  ["birthdate", "0000-12-10", "0000-12-10"],
  ["birthdate", "1815", "1815"],
  ["birthdate", "10.12.1815", undefined],
  ["birthdate", "1815-13-10", undefined],
  ["zoneinfo", "Europe/Zurich", "Europe/Zurich"],
  ["zoneinfo", "+01:00", undefined],
  ["zoneinfo", "Mars/Olympus", undefined],
  ["middle_name", "King", "King"],
  ["address", "12 St James's Square\nLondon", { formatted: "12 St James's Square\nLondon" }],
  ["address", '{"locality":"London","floor":"2"}', { locality: "London" }],
  ["address", '{"locality":1}', undefined],
  ["address", "{London}", { formatted: "{London}" }],
])("the metadata %s %j is the claim %j", (key, text, expected) => {
  expect(read(key, text)).toEqual(expected);
});
