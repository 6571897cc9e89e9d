import { describeEndpointProblem } from "../../src/fields/endpoint.ts";
import { cpuMsOf, MAX_MS } from "../support/cpu-time.ts";

test.each([
  "https://idp.example.com/token",
  "https://idp.example.com/token?",
  "https://idp.example.com?a=b&c=%20d/e?f",
  "http://localhost:8080/token?a",
])("%s is accepted", (value) => {
  expect(describeEndpointProblem(value)).toBeUndefined();
});

test.each([
  ["a fragment", "https://idp.example.com/?a#b", /fragment/],
  ["a space in the query", "https://idp.example.com/?a b", /valid query/],
  ["a broken escape in the query", "https://idp.example.com/?a?%zz?b", /valid query/],
  ["a query before the host", "https://?idp.example.com", /absolute https URL/],
  ["a user", "https://jane@idp.example.com/?a", /user name or password/],
  ["http elsewhere", "http://idp.example.com/?a", /https URL; http/],
])("%s is refused", (_what, value, description) => {
  expect(describeEndpointProblem(value)).toMatch(description);
});

test(`a long text takes at most ${MAX_MS} ms`, async () => {
  const long = `https://idp.example.com/${"?".repeat(100_000)} `;
  expect(describeEndpointProblem(long)).toMatch(/valid query/);
  expect(await cpuMsOf(() => describeEndpointProblem(long))).toBeLessThanOrEqual(MAX_MS);
});
