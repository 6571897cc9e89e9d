/**
 * Checks two rules of docs/README.md about tests, prints every violation, and exits with 1 if there are any:
 *
 * - A test file runs on both databases, or its whole table over several protocols, only if it is about their difference (`REPEATED`).
 * - Each slow test and each browser test belongs to a part of `.ci/full`, so that some run includes it.
 */
import { globSync, readFileSync } from "node:fs";

/** Folders whose tests are about protocols. */
const ABOUT_PROTOCOLS = ["test/rpc/", "test/http/", "test/telemetry/", "test/support/"];

/** Test files that run on both databases or over several protocols, and why. */
const REPEATED = {
  "test/cli/events.db.test.ts": "commands that start the embedded database",
  "test/cli/sign-in.db.test.ts": "commands that start the embedded database",
  "test/cli/users.db.test.ts": "commands that start the embedded database",
  "test/crypto/rotate-keys.db.test.ts": "commands that start the embedded database",
  "test/database/check-writable.db.test.ts": "connections",
  "test/database/command-list.db.test.ts": "how a list of commands reaches the database",
  "test/database/connection.db.test.ts": "connections",
  "test/instance/retention.db.test.ts": "rows that another process deletes at the same time",
  "test/instance/table-maintenance.db.test.ts": "statistics",
  "test/oidc/concurrent-sign-outs.wire.test.ts": "locks",
  "test/rpc/run-idempotently.db.test.ts": "locks",
  "test/server/crash.slow.test.ts": "crashes",
  "test/sign-in/ended-attempts.db.test.ts": "rows that another process deletes at the same time",
  "test/users/change/change-user-concurrency.wire.test.ts": "locks",
  "test/users/concurrency.db.test.ts": "locks",
};

const PARTS = readFileSync(".ci/parts", "utf8")
  .split("\n")
  .map((line) => line.split("|")[1]?.trim() ?? "")
  .filter((command) => command.startsWith("test:slow "))
  .flatMap((command) => command.split(" ").slice(1));

const violations = [];
const files = globSync("test/**/*.test.ts").sort();
for (const file of files) {
  const text = readFileSync(file, "utf8");
  const databases = /\bDATABASE_KINDS\b/.test(text);
  const protocols =
    /describe\.each\((RAW_)?PROTOCOLS\b/.test(text) && !ABOUT_PROTOCOLS.some((folder) => file.startsWith(folder));
  const isRepeated = databases || protocols;
  if (isRepeated && !(file in REPEATED)) {
    const what = databases ? "both databases" : "several protocols";
    violations.push(
      `${file} runs on ${what}: run it once, on PostgreSQL over gRPC, or say why in scripts/check-tests.js`,
    );
  }
  if (!isRepeated && file in REPEATED) violations.push(`${file} runs once: remove it from scripts/check-tests.js`);
  const isLong = /\.slow\.test\.ts$|browser[^/]*\.test\.ts$/.test(file);
  if (isLong && !PARTS.some((part) => file.startsWith(part))) violations.push(`${file} is in no part of .ci/parts`);
}
for (const file of Object.keys(REPEATED)) if (!files.includes(file)) violations.push(`${file} does not exist`);

for (const violation of violations) console.log(violation);
console.log(`${violations.length === 0 ? "no" : violations.length} violations in ${files.length} test files`);
process.exitCode = violations.length === 0 ? 0 : 1;
