/** Writes docs/reference/event-types.md. `npm run generate` runs it after buf, which empties the folder. */
import { writeFileSync } from "node:fs";
import { EVENT_TEXTS } from "../../src/events/catalogue.ts";
import { EVENT_PAYLOADS } from "../reference/event-payloads.ts";

const rows = EVENT_PAYLOADS.flatMap(([types, payload]) =>
  types.map((type) => `| \`${type}\` | ${EVENT_TEXTS[type]} | ${payload} |`),
);
const text = [
  "# Event types",
  "What [events](../events.md) contain. In payloads, enums are their numbers from the proto, and absent values are null. `*.requested` " +
    "means that a code was issued: `codeId` is the half of the code in a link that is useless without the other. The *origin* of a sign-in " +
    "is `network` (the IPv4 /24 or IPv6 /48), `browser` and `system` (of the operating system), each if it is known.",
  ["| type | text | payload |", "|---|---|---|", ...rows].join("\n"),
];
writeFileSync("docs/reference/event-types.md", `${text.join("\n\n")}\n`);
