import { createPerson, type Page } from "../support/browsers/person.ts";
import { inParallel, pause } from "./attack.ts";
import { IMPORT_REST } from "./requests.ts";
import type { Target, TargetPlace } from "./target.ts";

/** The environment of a server to which users connect through a proxy at 127.0.0.1. It hashes passwords fast. */
export const SIGN_IN_VARIABLES = { TRUSTED_PROXIES: "127.0.0.1", BCRYPT_COST: "4", PASSKEY_OFFER: "never" };

const PUBLIC_URL = "http://localhost:8080";
const REDIRECT_URI = "http://localhost:9/callback";
const PASSWORD = "analytical engine no. 1";

/** Users who sign in, each from another address. */
export interface SignIns {
  /** Starts this many sign-ins per second, and resolves to their durations in ms; Infinity for those that failed. */
  run(seconds: number, perSecond: number): Promise<number[]>;
}

/** Imports a user, and registers an application. */
export async function createSignIns(place: TargetPlace, target: Target): Promise<SignIns> {
  const app = await createSignInApp(place, target, "default");
  await app.importUser({ userName: "ada", password: PASSWORD });

  async function signIn(): Promise<number> {
    const startedAt = performance.now();
    const page = await app.enterPassword("ada");
    if (!page.url.searchParams.has("code"))
      throw new Error(`the sign-in led to ${page.status} ${page.title} ${page.url}`);
    return performance.now() - startedAt;
  }

  // Fails if the flow itself does not work.
  await signIn();
  return {
    async run(seconds, perSecond) {
      const started: Promise<number>[] = [];
      for (let count = 0; count < seconds * perSecond; count++) {
        started.push(signIn().catch(() => Number.POSITIVE_INFINITY));
        await pause(1_000 / perSecond);
      }
      return Promise.all(started);
    },
  };
}

/** The costliest hash that an import accepts: argon2id with 256 MiB. It belongs to no password. */
const COSTLY_HASH = `$argon2id$v=19$m=262144,t=16,p=4$${"c2FsdHNhbHRzYWx0c2FsdA"}$${"A".repeat(43)}`;
/** More than are tried, because repeated failures of one user are delayed. */
const COSTLY_USERS = 64;

/** Users of an organization whose imported hashes are as costly as possible. */
export interface CostlySignIns {
  /** Keeps this many attempts in flight, and resolves to the number of those that were verified. */
  run(seconds: number, inFlight: number): Promise<number>;
}

/** Imports the users, and registers an application of their organization. */
export async function createCostlySignIns(place: TargetPlace, target: Target): Promise<CostlySignIns> {
  const app = await createSignInApp(place, target, await place.signet("org", "create", "Costly"));
  await inParallel(COSTLY_USERS, (index) =>
    app.importUser({ userName: `costly-${index}`, hashedPassword: { value: COSTLY_HASH } }),
  );
  return {
    async run(seconds, inFlight) {
      const endsAt = performance.now() + seconds * 1_000;
      let [tried, verified] = [0, 0];
      await inParallel(inFlight, async () => {
        while (performance.now() < endsAt) {
          const page = await app.enterPassword(`costly-${tried++ % COSTLY_USERS}`);
          if (page.status === 422) verified++;
          // Others are rejected at once, because too many wait.
          else await pause(100);
        }
      });
      return verified;
    },
  };
}

/** An application of an organization, with users who sign in to it. */
async function createSignInApp(place: TargetPlace, target: Target, org: string) {
  const created = ["--org", org, "--redirect-uri", REDIRECT_URI, "--dev-mode", "--json"];
  const app = JSON.parse(await place.signet("app", "create", "Demo", ...created));
  const token = await place.signet("token", "create", "importer", "--org", org, "--role", "ORG_OWNER");
  const origin = `http://127.0.0.1:${target.port}`;
  const query = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: REDIRECT_URI,
    response_type: "code",
    scope: "openid",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });
  return {
    /** Imports a user with a verified address. */
    async importUser(user: { userName: string; password?: string; hashedPassword?: { value: string } }): Promise<void> {
      const imported = await fetch(origin + IMPORT_REST, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({
          ...user,
          profile: { firstName: "Ada", lastName: "Lovelace" },
          email: { email: `${user.userName}@example.com`, isEmailVerified: true },
        }),
      });
      if (!imported.ok) throw new Error(await imported.text());
    },
    /** Opens the sign-in page from an address of its own, and enters the user's name and the password. */
    async enterPassword(username: string): Promise<Page> {
      const person = createPerson({ origin, config: { publicUrl: PUBLIC_URL }, responses: [] });
      const start = await person.open(`${PUBLIC_URL}/oauth/v2/authorize?${query}`);
      return await person.submit(start, { username, password: PASSWORD });
    },
  };
}
