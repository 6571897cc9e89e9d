import { drupal } from "../../../src/passwords/schemes/drupal.ts";
import { testBounds } from "./expectations.ts";

const withCost = (cost: string) => `$S$${cost}saltsalt${".".repeat(43)}`;

test("a hash is parsed into cost, salt and hash", () => {
  expect(drupal.parse(withCost("D"))).toEqual({
    ok: true,
    hash: { scheme: "Drupal", cost: 15, salt: "saltsalt", hash: ".".repeat(43) },
  });
});

testBounds([
  ["cost 7", withCost("5"), withCost("4"), /Drupal cost \(log2\) from 7 to 22/],
  ["cost 22", withCost("K"), withCost("L"), /Drupal cost/],
  ["a hash of 43 characters", withCost("D"), `${withCost("D")}.`, /complete Drupal hash/],
  ["all characters", withCost("D"), withCost("D").slice(1), /Modular Crypt Format/],
]);
