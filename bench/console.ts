/**
 * Measures how long the console takes, from the access token to the first rows of its lists, in Chromium, with many users
 * in one organization and many organizations.
 *
 * `node bench/console.ts [--users <number>] [--orgs <number>] [--rounds <number>]`
 */
import { parseArgs } from "node:util";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import type { Page } from "playwright-core";
import { AdminService } from "../gen/signet/v1/admin_pb.js";
import { ManagementService } from "../gen/signet/v1/management_pb.js";
import { launchChromium } from "../test/support/browsers/chromium.ts";
import { type NewInstance, withNewInstance } from "./new-instance.ts";

const { values: flags } = parseArgs({
  options: {
    users: { type: "string", default: "1000000" },
    orgs: { type: "string", default: "1000" },
    rounds: { type: "string", default: "20" },
  },
});
const [USERS, ORGS, ROUNDS] = [flags.users, flags.orgs, flags.rounds].map(Number) as [number, number, number];

/** Only Chromium resolves it. A secure context without TLS. */
const ORIGIN = "http://id.localhost";
const PASSWORD = "analytical engine no. 1";
/** The first rows must be there after this time. */
const BOUND_MS = 300;

/** Runs in the page before the console. Writes the time of the first row into an attribute: the page forbids `eval`. */
const NOTE_FIRST_ROW = `new MutationObserver((_, observer) => {
  if (document.querySelector("main tbody tr") === null) return;
  const token = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/oauth/v2/token"));
  document.documentElement.dataset.firstRowMs = performance.now() - token.responseEnd;
  observer.disconnect();
}).observe(document, { childList: true, subtree: true })`;

await withNewInstance(run, { PUBLIC_URL: ORIGIN });

async function run({ client, port, token }: NewInstance): Promise<void> {
  const transport = createGrpcTransport({ baseUrl: `http://127.0.0.1:${port}` });
  const options = { headers: { authorization: `Bearer ${token}` } };
  const management = createClient(ManagementService, transport);
  const orgId = (await management.getMyOrg({}, options)).org?.id ?? "";
  await client.query(
    `insert into users (org_id, id, kind, user_name, user_name_key, first_name, last_name, display_name, gender, email,
       email_verified, sequence, created_at, changed_at)
     select $1, gen_random_uuid(), 'human', 'user-' || n, 'user-' || n, 'Ada', 'Lovelace', 'Ada Lovelace ' || n, 0,
       'user-' || n || '@example.com', true, 1, now() - n * interval '1 second', now()
     from generate_series(1, $2::integer) as n`,
    [orgId, USERS],
  );
  for (let number = 1; number <= ORGS; number++) await management.addOrg({ name: `Organization ${number}` }, options);
  const { userId } = await management.importHumanUser(
    {
      userName: "owner",
      profile: { firstName: "Olive", lastName: "Owner" },
      email: { email: "owner@example.com", isEmailVerified: true },
      password: PASSWORD,
    },
    options,
  );
  await createClient(AdminService, transport).addIAMMember({ userId, roles: ["INSTANCE_OWNER"] }, options);
  await client.query("vacuum analyze");

  const browser = await launchChromium({ "id.localhost": port });
  try {
    const page = await browser.newPage();
    await page.addInitScript(NOTE_FIRST_ROW);
    await page.goto(`${ORIGIN}/console`);
    await page.fill("#username", "owner");
    await page.fill("#password", PASSWORD);
    await page.keyboard.press("Enter");
    await page.click("text=Not now");
    await page.waitForURL(/\/console(?!.*callback)/);
    await page.waitForSelector("main h1");
    for (const [name, path] of [
      ["users", `/orgs/${orgId}/users`],
      ["users, by name", `/orgs/${orgId}/users?sort=name&dir=asc`],
      ["users, found by a part of the name", `/orgs/${orgId}/users?q=lovelace+77`],
      ["organizations", "/orgs"],
    ] as const) {
      report(name, await measure(page, path));
    }
  } finally {
    await browser.close();
  }
}

/** Loads the page again and again. Returns the times in milliseconds. */
async function measure(page: Page, path: string): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto(`${ORIGIN}/console${path}`);
    const noted = await page.waitForSelector("html[data-first-row-ms]", { state: "attached" });
    const ms = await noted.getAttribute("data-first-row-ms");
    times.push(Number(ms));
  }
  return times;
}

function report(name: string, times: number[]): void {
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
  const isFast = at(0.9) <= BOUND_MS;
  console.log(`${name}: p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, at most ${BOUND_MS} ms: ${isFast ? "yes" : "no"}`);
  if (!isFast) process.exitCode = 1;
}
