import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@bufbuild/protobuf";
import { Webhook } from "standardwebhooks";
import { createPerson } from "../support/browsers/person.ts";
import { importAda, userOf, VERIFIED, VISITED } from "../support/browsers/visitor.ts";
import { createRelyingParty, createRequest, type RelyingParty } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { createTestPasswordHook } from "../support/webhooks/password-hook.ts";

/*
 * The examples with a real sign-in. The earlier systems are servers that respond as their documentation says: the API
 * reference of Cognito (InitiateAuth), and the Authentication API of Auth0 (POST /oauth/token).
 */

const PASSWORD = "password of the earlier system";
const CLIENT = { id: "client", secret: "secret of the client" };
const UNAVAILABLE = "Signing in is not possible at the moment. Please try again in a few minutes.";

/** A response of the earlier system. */
type Response = readonly [status: number, body: JsonObject];

interface Request {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: JsonObject;
}

/** The earlier system, and the hook in front of it. */
interface Example {
  readonly hook: ChildProcess;
  readonly url: string;
  readonly server: Server;
  readonly requests: Request[];
  respond: (request: Request) => Response;
}

let service: TestService;
let app: RelyingParty;
beforeAll(async () => {
  service = await startService("postgres", { ...VISITED, IDP_ALLOW_PRIVATE_NETWORKS: "true" });
  service.secret(PASSWORD);
  app = await createRelyingParty(service);
});
afterAll(() => service?.close());

async function startExample(name: string, toEnvironment: (origin: string) => object): Promise<Example> {
  const requests: Request[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const one = { path: request.url ?? "", headers: request.headers, body };
    requests.push(one);
    const [status, answer] = example.respond(one);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { signingKey, setUrl } = await prepareHook();
  const environment = { SIGNET_SIGNING_KEY: signingKey, HOST: "127.0.0.1", PORT: "0" };
  const hook = spawn(process.execPath, [`examples/${name}/hook.js`], {
    env: { PATH: process.env.PATH, ...environment, ...toEnvironment(`http://127.0.0.1:${port}`) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(hook.stdout, "data")) as [Buffer];
  const [, url = ""] = /listening on (\S+)/.exec(line.toString()) ?? [];
  await setUrl(url);
  const example: Example = { hook, url, server, requests, respond: () => [500, {}] };
  return example;
}

/** A hook needs its key before it listens, and Signet its URL after that. */
async function prepareHook() {
  const signingKey = await createTestPasswordHook(service, service.orgId, "http://127.0.0.1:9/");
  const setUrl = (url: string) =>
    service.db.updateTable("password_hooks").set({ url }).where("owner_id", "=", service.orgId).execute();
  return { signingKey, setUrl };
}

async function stop({ hook, server }: Example): Promise<void> {
  hook.kill();
  server.close();
  server.closeAllConnections();
}

let users = 0;

const newName = () => `user-${++users}@example.com`;

/** Imports a user of the earlier system, who signs in. Returns what the page says, and whether the password is stored. */
async function signIn(externalId: string, userName = newName(), password = PASSWORD) {
  const metadata = [{ key: "external_id", value: Buffer.from(externalId).toString("base64") }];
  const id = await importAda(service, { userName, ...VERIFIED, metadata });
  const person = createPerson(service);
  const page = await person.submit(await person.open(createRequest(app).url), { username: userName, password });
  const { password_hash: hash } = await userOf(service, id);
  const isSignedIn = page.url.searchParams.get("code") !== null;
  return { userName, alert: page.alert, title: page.title, isSignedIn, isStored: hash !== null };
}

/** The same for users each of whom gets another response of the earlier system. */
async function signInEach(example: Example, responses: readonly Response[], nameIn: (body: JsonObject) => unknown) {
  const names = responses.map(newName);
  example.respond = ({ body }) => responses[names.indexOf(String(nameIn(body)))] ?? [500, {}];
  return await Promise.all(names.map((name) => signIn(`auth0|${name}`, name)));
}

const idToken = (claims: object) => `header.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.signature`;
const SIGNED_IN = { isSignedIn: true, isStored: true };
const WRONG = { alert: expect.stringContaining("password is incorrect"), isSignedIn: false, isStored: false };
const NO_ANSWER = { alert: UNAVAILABLE, isSignedIn: false, isStored: false };

/** Requests that anybody can send to a hook. */
function describeForgeries(find: () => Example): void {
  test("requests that Signet has not signed are rejected, and those with an old signature", async () => {
    const { url, requests } = find();
    requests.length = 0;
    const body = JSON.stringify({ type: "password.check", data: { user: { userName: "ada" }, password: "guess" } });
    const post = async (key: string, at = new Date()) => {
      const id = "01a2b3a4-1c5e-4f7a-9d21-6a6f2f0e41b7";
      const signature = new Webhook(key).sign(id, at, body);
      const timestamp = String(Math.floor(at.getTime() / 1_000));
      const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
      return (await fetch(url, { method: "POST", headers, body })).status;
    };
    const other = `whsec_${Buffer.alloc(32).toString("base64")}`;
    expect(await post(other)).toBe(401);
    expect(await post(await currentKey(), new Date(Date.now() - 600_000))).toBe(401);
    expect((await fetch(url, { method: "POST", body })).status).toBe(401);
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(url, { method: "POST", body: "x".repeat(70_000) })).status).toBe(400);
    expect(requests).toEqual([]);
  });
}

async function currentKey(): Promise<string> {
  const { id, secret, secret_key } = await service.db
    .selectFrom("password_hooks")
    .selectAll()
    .executeTakeFirstOrThrow();
  const place = { table: "password_hooks", column: "secret", rowId: id } as const;
  return service.keyring.open(place, { keyId: secret_key, ciphertext: secret });
}

test("both examples serve hooks in the same way", () => {
  const [cognito, auth0] = ["cognito", "auth0"].map((name) =>
    readFileSync(`examples/password-hook-${name}/serve-hook.js`, "utf8"),
  );
  expect(cognito).toBe(auth0);
});

describe("Cognito", () => {
  let example: Example;
  beforeAll(async () => {
    example = await startExample("password-hook-cognito", (origin) => ({
      COGNITO_ENDPOINT: origin,
      COGNITO_REGION: "eu-central-1",
      COGNITO_CLIENT_ID: CLIENT.id,
      COGNITO_CLIENT_SECRET: CLIENT.secret,
    }));
  });
  afterAll(() => example && stop(example));

  const error = (type: string, message = ""): Response => [400, { __type: type, message }];
  const challenge = (name: string, parameters: JsonObject): Response => [
    200,
    { ChallengeName: name, ChallengeParameters: parameters, Session: "AYABe" },
  ];
  const tokens = (claims: JsonObject): Response => [
    200,
    {
      AuthenticationResult: { IdToken: idToken(claims), AccessToken: "a", RefreshToken: "r", TokenType: "Bearer" },
      ChallengeParameters: {},
    },
  ];

  test("a right password is stored", async () => {
    example.respond = () => tokens({ sub: "sub-1", email: "ada@example.com" });
    const outcome = await signIn("sub-1");
    expect(outcome).toMatchObject(SIGNED_IN);
    const { userName } = outcome;
    const hash = createHmac("sha256", CLIENT.secret).update(`${userName}${CLIENT.id}`).digest("base64");
    expect(example.requests.at(-1)).toMatchObject({
      path: "/",
      headers: {
        "x-amz-target": "AWSCognitoIdentityProviderService.InitiateAuth",
        "content-type": "application/x-amz-json-1.1",
      },
      body: {
        AuthFlow: "USER_PASSWORD_AUTH",
        ClientId: CLIENT.id,
        AuthParameters: { USERNAME: userName, PASSWORD, SECRET_HASH: hash },
      },
    });
  });

  test("that of another user with the same name is not", async () => {
    example.respond = () => tokens({ sub: "sub-of-another" });
    expect(await signIn("sub-2")).toMatchObject(WRONG);
  });

  test.each(["SMS_MFA", "SOFTWARE_TOKEN_MFA", "MFA_SETUP"])("a second factor proves the password: %s", async (name) => {
    example.respond = () => challenge(name, { USER_ID_FOR_SRP: "sub-3" });
    expect(await signIn("sub-3")).toMatchObject(SIGNED_IN);
    // The metadata is unique in the organization.
    await service.db.deleteFrom("user_metadata").execute();
    expect(await signIn("sub-4")).toMatchObject(WRONG);
    await service.db.deleteFrom("user_metadata").execute();
  });

  test("a temporary password must be changed", async () => {
    example.respond = () => challenge("NEW_PASSWORD_REQUIRED", { USER_ID_FOR_SRP: "sub-5", requiredAttributes: "[]" });
    expect(await signIn("sub-5")).toMatchObject({ title: "Choose a new password", isStored: true });
  });

  const nameIn = ({ AuthParameters }: JsonObject) => (AuthParameters as JsonObject).USERNAME;

  test("a refusal is a wrong password", async () => {
    const refusals = [
      error("NotAuthorizedException", "Incorrect username or password."),
      error("NotAuthorizedException", "User is disabled."),
      error("UserNotFoundException", "User does not exist."),
      error("UserNotConfirmedException", "User is not confirmed."),
      error("PasswordResetRequiredException", "Password reset required for the user"),
      error("com.amazonaws.cognito#NotAuthorizedException", "Incorrect username or password."),
    ];
    expect(await signInEach(example, refusals, nameIn)).toMatchObject(refusals.map(() => WRONG));
  });

  test("anything else is no answer", async () => {
    const others: Response[] = [
      error("NotAuthorizedException", "Unable to verify secret hash for client client"),
      error("NotAuthorizedException", "Password attempts exceeded"),
      error("InvalidParameterException", "USER_PASSWORD_AUTH flow not enabled for this client"),
      error("TooManyRequestsException", "Rate exceeded"),
      [500, { __type: "InternalErrorException" }],
      challenge("CUSTOM_CHALLENGE", { USER_ID_FOR_SRP: "unknown" }),
    ];
    expect(await signInEach(example, others, nameIn)).toMatchObject(others.map(() => NO_ANSWER));
  });

  describeForgeries(() => example);
});

describe("Auth0", () => {
  let example: Example;
  beforeAll(async () => {
    example = await startExample("password-hook-auth0", (origin) => ({
      AUTH0_ENDPOINT: `${origin}/oauth/token`,
      AUTH0_DOMAIN: "example.eu.auth0.com",
      AUTH0_CLIENT_ID: CLIENT.id,
      AUTH0_CLIENT_SECRET: CLIENT.secret,
    }));
  });
  afterAll(() => example && stop(example));

  const tokens = (sub: string): Response => [
    200,
    { access_token: "a", id_token: idToken({ sub }), scope: "openid", expires_in: 86_400, token_type: "Bearer" },
  ];

  test("a right password is stored", async () => {
    example.respond = () => tokens("auth0|1");
    const outcome = await signIn("auth0|1");
    expect(outcome).toMatchObject(SIGNED_IN);
    expect(example.requests.at(-1)).toMatchObject({
      path: "/oauth/token",
      body: {
        grant_type: "http://auth0.com/oauth/grant-type/password-realm",
        realm: "Username-Password-Authentication",
        ...{ client_id: CLIENT.id, client_secret: CLIENT.secret },
        ...{ username: outcome.userName, password: PASSWORD, scope: "openid" },
      },
    });
  });

  test("that of another user with the same name is not, and users of other connections have none", async () => {
    example.respond = () => tokens("auth0|of another");
    expect(await signIn("auth0|2")).toMatchObject(WRONG);
    example.requests.length = 0;
    expect(await signIn("google-oauth2|3")).toMatchObject(WRONG);
    expect(example.requests).toEqual([]);
  });

  test("a second factor proves the password", async () => {
    const description = "Multifactor authentication required";
    example.respond = () => [403, { error: "mfa_required", error_description: description, mfa_token: "Fe26" }];
    expect(await signIn("auth0|4")).toMatchObject(SIGNED_IN);
  });

  test("a refusal is a wrong password", async () => {
    const refusals: Response[] = [
      [403, { error: "invalid_grant", error_description: "Wrong email or password." }],
      [401, { error: "password_leaked", error_description: "This login has been blocked" }],
      [401, { error: "unauthorized", error_description: "user is blocked" }],
    ];
    expect(await signInEach(example, refusals, ({ username }) => username)).toMatchObject(refusals.map(() => WRONG));
  });

  test("anything else is no answer", async () => {
    const others: Response[] = [
      [429, { error: "too_many_attempts", error_description: "Your account has been blocked" }],
      [401, { error: "requires_verification", error_description: "Suspicious request requires verification" }],
      [403, { error: "unauthorized_client", error_description: "Grant type not allowed for the client." }],
      [503, { error: "temporarily_unavailable" }],
    ];
    expect(await signInEach(example, others, ({ username }) => username)).toMatchObject(others.map(() => NO_ANSWER));
  });

  describeForgeries(() => example);
});
