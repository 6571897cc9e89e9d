/**
 * Measures whether the duration of a rejected sign-in reveals why it was rejected: `node bench/sign-in-timing.ts
 * [tries] [bcrypt|argon2id]`. Prints the median duration for each reason, and its difference from the one for a wrong
 * password.
 */
import { randomInt } from "node:crypto";
import pg from "pg";
import { hashNewPassword } from "../src/passwords/new-hash.ts";
import { createBrowser } from "../test/support/browsers/browser.ts";
import { createSetting } from "./setting.ts";

const PASSWORD = "analytical engine no. 1";
const PUBLIC_URL = "http://localhost:8080";
const MD5_CRYPT = "$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/";
const MAX_DIFFERENCE = 0.05;
/** Of hashes that were imported and are cheaper than new ones (docs/sign-in.md). */
const MAX_DIFFERENCE_IMPORTED = 0.1;
const IMPORTED = "wrong password for an imported MD5-crypt hash";

/** The tries before the measured ones. */
const WARM_UP = 20;

const tries = Number(process.argv[2] ?? 200);
const scheme = process.argv[3] === "bcrypt" ? "bcrypt" : "argon2id";
const hash = hashNewPassword({ scheme, cost: 12 }, PASSWORD);

/** Each try uses a different user, because the attempt limits would otherwise reject it. */
const REASONS = {
  "wrong password": { hash, password: "wrong password 1" },
  "wrong password, by address": { hash, password: "wrong password 1", domain: "@example.com" },
  "unknown user": { hash: undefined, password: PASSWORD },
  "unknown address": { hash: undefined, password: PASSWORD, domain: "@example.com" },
  "address of two users": { hash, password: PASSWORD, domain: "@example.com", isShared: true },
  "wrong password, by number": { hash, password: "wrong password 1", byPhone: true },
  "unknown number": { hash: undefined, password: PASSWORD, byPhone: true },
  "number of two users": { hash, password: PASSWORD, byPhone: true, isShared: true },
  "user without a password": { hash: null, password: PASSWORD },
  "locked user, right password": { hash, password: PASSWORD, state: "locked" },
  "empty password": { hash, password: "" },
  [IMPORTED]: { hash: MD5_CRYPT, password: "wrong password 1" },
} as const satisfies Record<string, ReasonSetting>;

interface ReasonSetting {
  /** Of the stored users; undefined without users. */
  readonly hash: string | null | undefined;
  /** Entered. */
  readonly password: string;
  readonly state?: string;
  /** Makes the address of the user that is entered instead of the name. */
  readonly domain?: string;
  /** Whether the verified number of the user is entered instead of the name. */
  readonly byPhone?: boolean;
  /** Whether another user has the same address or number. */
  readonly isShared?: boolean;
}

type Reason = keyof typeof REASONS;
const reasons = Object.keys(REASONS) as Reason[];

const setting = await createSetting(1);
const client = new pg.Client(setting.url);
await client.connect();
for (const [number, reason] of reasons.entries()) {
  const settings: ReasonSetting = REASONS[reason];
  const { hash: stored, state = "active", domain = "@example.org", isShared = false, byPhone = false } = settings;
  if (stored === undefined) continue;
  await client.query(
    `with created as (
       insert into users (org_id, id, kind, user_name, user_name_key, first_name, last_name, display_name, gender, email,
         email_verified, phone, phone_verified, password_hash, password_changed_at, state, sequence, created_at,
         changed_at)
       select orgs.id, gen_random_uuid(), 'human', 'name-' || copy || $1 || n, 'name-' || copy || $1 || n, 'Ada',
         'Lovelace', 'Ada Lovelace', 0, $1 || n || $5, true, $7 || lpad((n + ${WARM_UP})::text, 5, '0'),
         $7::text is not null, $2, now(), $3, 1, now(), now()
       from orgs, generate_series(-${WARM_UP}, $4::int) as n, generate_series(1, $6::int) as copy
       returning org_id, id, phone)
     insert into verified_phones (org_id, user_id, phone)
     select org_id, id, phone from created where phone is not null`,
    [`timing-${number}-`, stored, state, tries, domain, isShared ? 2 : 1, byPhone ? toPrefix(number) : null],
  );
}
await client.query("vacuum analyze");
const server = await setting.startSignet({ PASSWORD_HASH: scheme, TRUSTED_PROXIES: "127.0.0.1", LOG_LEVEL: "error" });
const { pathname, search, token, browser } = await openSignIn();
const durations = new Map<Reason, number[]>(reasons.map((reason) => [reason, []]));

// The first tries warm up the service. The reasons alternate, so that a slow moment of the machine affects all of them.
for (let count = -WARM_UP; count < tries; count++) {
  for (const reason of shuffle(reasons)) {
    const username = toEntered(reason, count);
    const body = new URLSearchParams({ token, username, password: REASONS[reason].password });
    const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
    const start = performance.now();
    const { status, location } = await browser.open(pathname + search, {
      method: "POST",
      headers: { "x-forwarded-for": address, origin: "null" },
      body,
    });
    // The redirect to the page that says so.
    if (status !== 303 || !location.includes("&shown=")) throw new Error(`${reason}: status ${status}, ${location}`);
    if (count >= 0) durations.get(reason)?.push(performance.now() - start);
  }
}
await server.stop();
await client.end();
await setting.stop();

const usual = medianOf("wrong password");
console.log(`${scheme}, ${tries} tries each, milliseconds:`);
for (const reason of reasons) {
  const median = medianOf(reason);
  const difference = median / usual - 1;
  const limit = reason === IMPORTED ? MAX_DIFFERENCE_IMPORTED : MAX_DIFFERENCE;
  const verdict = Math.abs(difference) > limit ? "TOO MUCH" : "ok";
  console.log(`${median.toFixed(1).padStart(8)} ${(difference * 100).toFixed(1).padStart(6)} %  ${verdict}  ${reason}`);
  if (verdict !== "ok") process.exitCode = 1;
}

/** What a try enters in the first field. */
function toEntered(reason: Reason, count: number): string {
  const number = reasons.indexOf(reason);
  const { domain, byPhone = false }: ReasonSetting = REASONS[reason];
  if (byPhone) return toPrefix(number) + String(count + WARM_UP).padStart(5, "0");
  return domain === undefined ? `name-1timing-${number}-${count}` : `timing-${number}-${count}${domain}`;
}

/** The start of the numbers of a reason, before five digits: Swiss mobile numbers. */
function toPrefix(number: number): string {
  return `+4179${String(number).padStart(2, "0")}`;
}

/** The try before must not be the same for all tries of a reason. */
function shuffle<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, order: Math.random() }))
    .sort((left, right) => left.order - right.order)
    .map(({ value }) => value);
}

function medianOf(reason: Reason): number {
  return durations.get(reason)?.toSorted((left, right) => left - right)[tries >> 1] ?? Number.NaN;
}

async function openSignIn() {
  const origin = `http://127.0.0.1:${server.port}`;
  const browser = createBrowser(origin, PUBLIC_URL);
  let page = await browser.open("/ui/account");
  let url = PUBLIC_URL;
  while (page.location !== "") {
    url = new URL(page.location, PUBLIC_URL).href;
    page = await browser.open(url);
  }
  const token = /name="token" value="([^"]*)"/.exec(page.text)?.[1] ?? "";
  return { browser, token, ...pick(new URL(url)) };
}

function pick({ pathname, search }: URL) {
  return { pathname, search };
}
