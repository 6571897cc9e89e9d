import { Agent, request as httpRequest } from "node:http";
import * as client from "openid-client";
import { hashSecret } from "../../src/crypto/secrets.ts";
import { importAda, VERIFIED } from "../support/browsers/visitor.ts";
import { createRelyingParty, newBrowser, type RelyingParty, signInAndRedeem } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";

/** More than an application needs for a sign-in. */
const REQUESTS = 60;
const FAILURES = 10;
const BUDGETS = {
  requests: { burst: REQUESTS, perSecond: 0.001 },
  failures: { burst: FAILURES, perSecond: 0.001 },
  penaltyMs: 600_000,
  refusalMs: 0,
};

type Outcome = number | "closed";

interface Connection {
  get(path: string, headers?: Record<string, string>): Promise<{ outcome: Outcome; text: string }>;
  post(path: string, fields: Record<string, string>): Promise<{ outcome: Outcome; text: string }>;
}

const agents: Agent[] = [];

/** One connection, with the credentials of an application in the header, or in each form. */
function connect({ port }: TestService, app?: RelyingParty, isInForm = false): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  const basic = `Basic ${Buffer.from(`${app?.id}:${app?.secret}`).toString("base64")}`;
  const inForm = { client_id: app?.id ?? "", client_secret: app?.secret ?? "" };
  const send = (method: string, path: string, headers: Record<string, string>, body = "") =>
    new Promise<{ outcome: Outcome; text: string }>((resolve) => {
      httpRequest({ host: "127.0.0.1", port, agent, method, path, headers }, (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve({ outcome: response.statusCode ?? 0, text }));
      })
        .on("error", () => resolve({ outcome: "closed", text: "" }))
        .end(body);
    });
  return {
    get: (path, headers = {}) => send("GET", path, headers),
    post(path, fields) {
      const form = new URLSearchParams({ ...fields, ...(isInForm && inForm) });
      const type = { "content-type": "application/x-www-form-urlencoded" };
      return send("POST", path, { ...type, ...(!isInForm && { authorization: basic }) }, String(form));
    },
  };
}

describe("while strangers use up what their address may use, an application at the same address", () => {
  let service: TestService;
  let userId: string;
  beforeEach(async () => {
    service = await startService("postgres", {}, { budgets: BUDGETS });
    userId = await importAda(service, VERIFIED);
  });
  afterEach(async () => {
    for (const agent of agents.splice(0)) agent.destroy();
    await service.close();
  });

  const signIn = (app: RelyingParty) =>
    signInAndRedeem(service, newBrowser(service), app, userId, {
      scope: "openid offline_access",
      prompt: "consent",
    });

  /** Wrong tokens, and then requests until the connection is closed. */
  async function flood(): Promise<void> {
    const stranger = connect(service);
    const guess = () => stranger.get("/oidc/v1/userinfo", { authorization: `Bearer ${"x".repeat(43)}` });
    const outcomes: Outcome[] = [];
    for (let count = 0; count <= FAILURES; count++) outcomes.push((await guess()).outcome);
    expect(outcomes.at(-1)).toBe(429);
    for (let count = 0; count < REQUESTS; count++) outcomes.push((await stranger.get("/healthz")).outcome);
    expect(outcomes.at(-1)).toBe("closed");
    expect((await connect(service).get("/healthz")).outcome).toBe("closed");
  }

  test.each([
    ["header", "basic"],
    ["form", "post"],
  ] as const)("with its secret in the %s makes any number of calls", async (place, auth_method) => {
    const method = place === "form" ? client.ClientSecretPost : client.ClientSecretBasic;
    const app = await createRelyingParty(service, { auth_method }, method);
    const tokens = await signIn(app);
    const { access_token: token } = tokens;
    const connection = connect(service, app, place === "form");
    const userinfo = connect(service);
    const bearer = { authorization: `Bearer ${token}` };
    const introspect = () => connection.post("/oauth/v2/introspect", { token });
    expect(await introspect()).toMatchObject({ outcome: 200, text: expect.stringContaining(userId) });
    expect(await userinfo.get("/oidc/v1/userinfo", bearer)).toMatchObject({ outcome: 200 });
    await flood();

    let refresh = tokens.refresh_token ?? "";
    const outcomes = new Set<Outcome>();
    for (let count = 0; count < REQUESTS; count++) {
      outcomes.add((await introspect()).outcome);
      outcomes.add((await userinfo.get("/oidc/v1/userinfo", bearer)).outcome);
      const refreshed = await connection.post("/oauth/v2/token", {
        grant_type: "refresh_token",
        refresh_token: refresh,
      });
      outcomes.add(refreshed.outcome);
      const issued = JSON.parse(refreshed.text);
      refresh = service.secret(issued.refresh_token);
      service.secret(issued.access_token);
    }
    outcomes.add((await connection.post("/oauth/v2/revoke", { token: refresh })).outcome);
    expect([...outcomes]).toEqual([200]);
  });

  test("may open connections with credentials that were valid recently, until they are no longer valid", async () => {
    const app = await createRelyingParty(service);
    const { access_token: token } = await signIn(app);
    const bearer = { authorization: `Bearer ${token}` };
    const introspect = async () => (await connect(service, app).post("/oauth/v2/introspect", { token })).outcome;
    const readUser = async () => (await connect(service).get("/oidc/v1/userinfo", bearer)).outcome;
    expect([await introspect(), await readUser()]).toEqual([200, 200]);
    await flood();
    expect([await introspect(), await readUser()]).toEqual([200, 200]);

    await service.db
      .updateTable("apps")
      .set({ secret_hash: hashSecret("another") })
      .where("id", "=", app.id)
      .execute();
    await service.db.deleteFrom("oidc_artifacts").where("kind", "=", "AccessToken").execute();
    expect([await introspect(), await readUser()]).toEqual([401, 401]);
    expect([await introspect(), await readUser()]).toEqual(["closed", "closed"]);
  });

  test("proves nothing by its client id alone", async () => {
    const app = await createRelyingParty(service, { auth_method: "none" });
    const connection = connect(service, app, true);
    const post = () => connection.post("/oauth/v2/introspect", { token: "x", client_id: app.id });
    const outcomes: Outcome[] = [];
    for (let count = 0; count <= REQUESTS; count++) outcomes.push((await post()).outcome);
    expect(outcomes).toContain(429);
  });
});

test("a caller at the address of strangers keeps its connections, and opens new ones until its token is revoked", async () => {
  const service = await startService("postgres", {}, { budgets: BUDGETS });
  try {
    const { token, id } = await service.createToken({ orgId: service.orgId, role: "ORG_OWNER" });
    const bearer = { authorization: `Bearer ${token}` };
    const read = async (connection: Connection) => (await connection.get("/management/v1/orgs/me", bearer)).outcome;
    const kept = connect(service);
    expect(await read(kept)).toBe(200);
    const stranger = connect(service);
    const outcomes: Outcome[] = [];
    for (let count = 0; count <= REQUESTS; count++) outcomes.push((await stranger.get("/healthz")).outcome);
    expect(outcomes).toContain(429);
    for (let count = 0; count < REQUESTS; count++) expect(await read(kept)).toBe(200);
    expect(await read(connect(service))).toBe(200);

    await service.db.updateTable("tokens").set({ revoked_at: new Date() }).where("id", "=", id).execute();
    expect(await read(connect(service))).toBe(401);
    expect(await read(connect(service))).toBe("closed");
  } finally {
    for (const agent of agents.splice(0)) agent.destroy();
    await service.close();
  }
});
