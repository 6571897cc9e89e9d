/**
 * Imports users of Auth0 with their passwords: `node examples/import-auth0.js <password hashes> [<user export>]`.
 *
 * Both files have one JSON object per line. Writes the Auth0 id and the new id of each user to
 * `<password hashes>.imported`, and the rejected users to `<password hashes>.failed`. A second run skips users that
 * are already imported.
 */
import { createReadStream, createWriteStream, existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { ErrorInfoSchema } from "../gen/google/rpc/error_details_pb.js";
import { ManagementService } from "../gen/signet/v1/management_pb.js";

const CONCURRENCY = 32;
const RETRIED = [Code.Unavailable, Code.Aborted, Code.ResourceExhausted];
const MAX_ATTEMPTS = 6;

const [hashFile, exportFile] = process.argv.slice(2);
const baseUrl = process.env.SIGNET_URL ?? "http://localhost:8080";
const token =
  process.env.SIGNET_TOKEN ?? readFileSync(process.env.ADMIN_TOKEN_FILE ?? "data/admin.token", "utf8").trim();
const management = createClient(ManagementService, createConnectTransport({ baseUrl, httpVersion: "2" }));

const importedFile = `${hashFile}.imported`;
const done = new Set();
if (existsSync(importedFile)) for await (const { auth0Id } of readLines(importedFile)) done.add(auth0Id);
const imported = createWriteStream(importedFile, { flags: "a" });
const failed = createWriteStream(`${hashFile}.failed`);
const profiles = new Map();
if (exportFile) for await (const user of readLines(exportFile)) profiles.set(user.user_id, user);

const counts = { imported: 0, failed: 0, skipped: 0 };
const startedAt = performance.now();
const users = readLines(hashFile);
// Each worker imports one user at a time. All of them take users from the same file.
await Promise.all(Array.from({ length: CONCURRENCY }, work));
const seconds = (performance.now() - startedAt) / 1_000;
console.log(`${JSON.stringify(counts)} in ${seconds.toFixed(1)} s: ${Math.round(counts.imported / seconds)} users/s`);
if (counts.failed > 0) process.exitCode = 1;

async function work() {
  for (;;) {
    const { value: user, done: isOver } = await users.next();
    if (isOver) return;
    const auth0Id = `auth0|${user.alt_id ?? user._id.$oid}`;
    if (done.has(auth0Id)) counts.skipped += 1;
    else await importUser(auth0Id, toRequest(user, profiles.get(auth0Id)));
  }
}

async function importUser(auth0Id, request) {
  try {
    const { userId } = await send(auth0Id, request);
    imported.write(`${JSON.stringify({ auth0Id, userId })}\n`);
    counts.imported += 1;
  } catch (thrown) {
    const error = ConnectError.from(thrown);
    const [info] = error.findDetails(ErrorInfoSchema);
    failed.write(`${JSON.stringify({ auth0Id, reason: info?.reason, message: error.rawMessage })}\n`);
    counts.failed += 1;
  }
}

/** Sends an import, and repeats it while the service is unavailable. The key prevents a second user. */
async function send(auth0Id, request) {
  const headers = { authorization: `Bearer ${token}`, "idempotency-key": encodeURIComponent(auth0Id) };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await management.importHumanUser(request, { headers });
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !RETRIED.includes(ConnectError.from(error).code)) throw error;
      await setTimeout(attempt * 1_000 * Math.random());
    }
  }
}

/** @param profile The user in the user export, which may be missing. */
function toRequest(user, profile = {}) {
  const address = user.identifiers?.find(({ type }) => type === "email");
  const email = user.email ?? address?.value ?? "";
  const name = (profile.name ?? "").includes("@") ? "" : (profile.name ?? "").trim();
  const [first, last] = name.split(/ (?=[^ ]*$)/);
  return {
    userName: user.username ?? profile.username ?? email,
    profile: {
      // Auth0 does not require names, but Signet does.
      firstName: profile.given_name || first || email.split("@")[0],
      lastName: profile.family_name || last || "-",
      nickName: profile.nickname ?? "",
    },
    email: { email, isEmailVerified: user.email_verified ?? address?.verified ?? false },
    hashedPassword: { value: user.passwordHash },
  };
}

async function* readLines(file) {
  for await (const line of createInterface({ input: createReadStream(file) })) if (line.trim()) yield JSON.parse(line);
}
