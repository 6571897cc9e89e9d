/**
 * Checks that the responses to a page's commands match the ones on the page, except for ids, times and codes: `node
 * scripts/check-examples.js <page> <responses>`. The page shows each response in a JSON block, in command order; the
 * responses file has one per line. Prints the first difference and exits with 1 if there is one.
 */
import { readFileSync } from "node:fs";

const [page = "", responses = ""] = process.argv.slice(2);
const shown = [...readFileSync(page, "utf8").matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, json = ""]) => json);
const received = readFileSync(responses, "utf8").split("\n").filter(Boolean);

const at = shown.findIndex((json, index) => normalize(json) !== normalize(received[index] ?? "null"));
if (at === -1 && received.length === shown.length) {
  console.log(`${shown.length} responses are as in ${page}`);
} else {
  console.error(`${page} shows ${shown.length} responses, ${received.length} were received`);
  if (at !== -1) console.error(`response ${at + 1} is shown as:\n${shown[at]}\nreceived:\n${received[at]}`);
  process.exitCode = 1;
}

/** Sorts the keys, and replaces what differs between runs. */
function normalize(json) {
  const value = JSON.parse(json, (_key, part) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
  return JSON.stringify(value)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.[\w-]{22})?/g, "<id>")
    .replace(/"clientSecret":"[\w-]{43}"/, '"clientSecret":"<secret>"')
    .replace(/"token":"(signet_pat_\w{43}|[\w-]{22})"/, '"token":"<token>"')
    .replace(/"signingKey":"whsec_[\w+/]{43}="/, '"signingKey":"<key>"')
    .replace(/"lastFour":"\w{4}"/, '"lastFour":"<end>"')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replace(/http:\/\/localhost:\d+/g, "<origin>");
}
