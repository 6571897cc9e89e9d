import * as client from "openid-client";
import { DATABASE_KINDS } from "../support/databases/database.ts";
import { createRequest, newBrowser, type RelyingParty, signInAndRedeem } from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

const SESSIONS = 24;
/** The embedded database has one connection for pages, and rejects requests that wait for it too long. */
const PARALLEL = { postgres: SESSIONS, embedded: 1 };

describe.each(DATABASE_KINDS)("a sign-out ends the session while requests use it, on %s", (kind) => {
  let service: TestService;
  let app: RelyingParty;
  let userId: string;

  beforeAll(async () => {
    ({ service, app, userId } = await startProvider(kind));
  });
  afterAll(() => service.close());

  /** A browser with a session, and the URL that signs it out immediately. */
  async function newSession() {
    const browser = newBrowser(service);
    const { id_token = "" } = await signInAndRedeem(service, browser, app, userId);
    const { pathname, search } = client.buildEndSessionUrl(app.configuration, { id_token_hint: id_token });
    return { browser, signOutPath: pathname + search };
  }

  async function newSessions() {
    const sessions = [];
    for (let count = 0; count < SESSIONS; count++) sessions.push(await newSession());
    return sessions;
  }

  /** Does something with all sessions, several at a time. */
  async function forAll<Result>(sessions: Session[], run: (session: Session) => Promise<Result>): Promise<Result[]> {
    const results: Result[] = [];
    for (let first = 0; first < sessions.length; first += PARALLEL[kind]) {
      results.push(...(await Promise.all(sessions.slice(first, first + PARALLEL[kind]).map(run))));
    }
    return results;
  }

  type Session = Awaited<ReturnType<typeof newSession>>;

  async function authorize({ browser }: Session, parameters: Record<string, string> = {}) {
    const { url, checks } = createRequest(app, { prompt: "none", ...parameters });
    const response = await browser.open(String(url));
    const callback = new URL(response.location, service.config.publicUrl);
    const { code, error } = Object.fromEntries(callback.searchParams);
    return { code: code === undefined ? undefined : service.secret(code), error, checks };
  }

  async function redeem({ code, checks }: Awaited<ReturnType<typeof authorize>>) {
    const authorization = `Basic ${Buffer.from(`${app.id}:${app.secret}`).toString("base64")}`;
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code: code ?? "",
      code_verifier: checks.pkceCodeVerifier ?? "",
      redirect_uri: app.redirectUri,
    });
    const response = await fetch(`${service.origin}/oauth/v2/token`, {
      method: "POST",
      headers: { authorization },
      body,
    });
    const { error, access_token } = (await response.json()) as { error?: string; access_token?: string };
    return { error, accessToken: access_token && service.secret(access_token) };
  }

  async function isAlive(accessToken: string): Promise<boolean> {
    const headers = { authorization: `Bearer ${accessToken}` };
    return (await fetch(`${service.origin}/oidc/v1/userinfo`, { headers })).ok;
  }

  test("and no token of a code redeemed in the meantime is valid", async () => {
    const outcomes = await forAll(await newSessions(), async (session) => {
      const code = await authorize(session);
      const [tokens, signedOut] = await Promise.all([redeem(code), session.browser.open(session.signOutPath)]);
      expect(signedOut.status).toBe(303);
      return tokens;
    });
    for (const { error, accessToken } of outcomes) {
      expect([undefined, "invalid_grant"]).toContain(error);
      if (accessToken !== undefined) expect(await isAlive(accessToken)).toBe(false);
    }
  });

  test("and no authorization request in the meantime continues it", async () => {
    const sessions = await newSessions();
    const outcomes = await forAll(sessions, async (session) => {
      const [signedOut, ...others] = await Promise.all([
        session.browser.open(session.signOutPath),
        ...Array.from({ length: 4 }, () => authorize(session)),
      ]);
      expect(signedOut.status).toBe(303);
      return others;
    });
    for (const { error } of outcomes.flat()) expect([undefined, "login_required"]).toContain(error);
    const later = await forAll(sessions, (session) => authorize(session));
    expect(later.map(({ error }) => error)).toEqual(sessions.map(() => "login_required"));
  });
});
