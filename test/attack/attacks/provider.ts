import { randomBytes, randomUUID } from "node:crypto";
import { atLimit, type StrangerRequest } from "./at-limit.ts";

/** Just below the largest form that the OpenID provider accepts. */
const LONG_BYTES = 50_000;

const long = () => "a".repeat(LONG_BYTES);
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
});
const post = (path: string, fields: Readonly<Record<string, string>>, headers = {}): StrangerRequest => ({
  path,
  headers,
  form: new URLSearchParams(fields),
});

const TOKEN = "/oauth/v2/token";
const SERVICE = { grant_type: "client_credentials" };

/** Requests of services for tokens, with unknown clients, secrets and assertions, and the longest forms. */
export const serviceTokens = atLimit([
  () => post(TOKEN, SERVICE, basic(randomUUID(), randomBytes(32).toString("base64url"))),
  () => post(TOKEN, { ...SERVICE, scope: long() }, basic(randomUUID(), "secret")),
  () => post(TOKEN, { ...SERVICE, client_id: randomUUID(), client_secret: long() }),
  () =>
    post(TOKEN, {
      ...SERVICE,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: longAssertion(randomUUID()),
    }),
  () => {
    const form = new URLSearchParams({ ...SERVICE, client_id: randomUUID(), client_secret: "secret" });
    for (let n = 0; n < 90; n++) form.append("resource", `https://api.example.com/${"a".repeat(400)}/${n}`);
    return { path: TOKEN, form };
  },
]);

/** A JSON Web Token of the longest length, signed with a key that nobody knows. */
function longAssertion(clientId: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1_000) + 60;
  const claims = { iss: clientId, sub: clientId, aud: "http://localhost:8080", exp, jti: randomUUID() };
  const padded = { ...claims, padding: "a".repeat(LONG_BYTES * 0.7) };
  return `${encode({ alg: "RS256" })}.${encode(padded)}.${randomBytes(256).toString("base64url")}`;
}

/** Introspection and revocation by unknown clients. */
export const introspection = atLimit(
  ["/oauth/v2/introspect", "/oauth/v2/revoke"].flatMap((path) => [
    () => post(path, { token: randomBytes(32).toString("base64url") }, basic(randomUUID(), "secret")),
    () => post(path, { token: long() }, basic(randomUUID(), "secret")),
  ]),
);

/** What anyone may read: keys, metadata, and codes for devices of unknown clients. */
export const keysAndDevices = atLimit([
  () => ({ path: "/oauth/v2/keys" }),
  () => ({ path: "/.well-known/openid-configuration" }),
  () => post("/oauth/v2/device_authorization", { client_id: randomUUID(), scope: "openid" }),
  () => post("/oauth/v2/device_authorization", { client_id: randomUUID(), scope: long() }),
]);

/** The files of the console. */
export const consoleFiles = atLimit([
  () => ({ path: "/console" }),
  () => ({ path: "/console/console.js", headers: { "accept-encoding": "gzip" } }),
  () => ({ path: "/console/console.js" }),
  () => ({ path: `/console/users/${randomUUID()}` }),
]);

/** The longest forms to the pages of registration, passwords and links, with unknown sign-ins and codes. */
export const longForms = atLimit([
  () => post(`/ui/sign-in/${randomBytes(32).toString("base64url")}/register`, { email: long() }),
  () =>
    post(`/ui/sign-in/${randomBytes(32).toString("base64url")}`, { username: long(), password: long().slice(9_000) }),
  () => post("/ui/password", { code: randomBytes(32).toString("base64url"), password: long() }),
  () => post("/ui/device", { user_code: long() }),
]);
