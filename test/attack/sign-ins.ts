import { createPerson } from "../support/browsers/person.ts";
import { pause } from "./attack.ts";
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
  const app = JSON.parse(
    await place.signet("app", "create", "Demo", "--redirect-uri", REDIRECT_URI, "--dev-mode", "--json"),
  );
  const token = await place.signet("token", "create", "importer", "--org", "default", "--role", "ORG_OWNER");
  const origin = `http://127.0.0.1:${target.port}`;
  const imported = await fetch(origin + IMPORT_REST, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      userName: "ada",
      profile: { firstName: "Ada", lastName: "Lovelace" },
      email: { email: "ada@example.com", isEmailVerified: true },
      password: PASSWORD,
    }),
  });
  if (!imported.ok) throw new Error(await imported.text());
  const query = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: REDIRECT_URI,
    response_type: "code",
    scope: "openid",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });

  async function signIn(): Promise<number> {
    const startedAt = performance.now();
    const person = createPerson({ origin, config: { publicUrl: PUBLIC_URL }, responses: [] });
    const start = await person.open(`${PUBLIC_URL}/oauth/v2/authorize?${query}`);
    const page = await person.submit(start, { username: "ada", password: PASSWORD });
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
