import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import type { JsonObject } from "@bufbuild/protobuf";
import { decodeJwt } from "jose";
import * as client from "openid-client";
import { createDocumentFetch } from "../../src/oidc/client-documents.ts";
import { call, importAda, VERIFIED } from "../support/browsers/visitor.ts";
import {
  completeSignIn,
  connectRelyingParty,
  createRelyingParty,
  createRequest,
  findRequest,
  keepSecret,
  newBrowser,
  type RelyingParty,
  redeem,
  signIn,
  signInAndRedeem,
} from "../support/oidc/relying-party.ts";
import { createCertificate } from "../support/servers/certificates.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { until } from "../support/until.ts";

/* OAuth Client ID Metadata Document, draft 02: the host publishes the metadata of a client, which nobody registers. */

const REDIRECT_URI = "http://localhost:9999/callback";
const MCP = "https://mcp.example.com/mcp";
const trusted = getCACertificates("default");

let folder: string;
let host: Server;
let origin: string;
/** What the host responds, by path. Others are 404. */
const documents = new Map<string, { status?: number; body: string; headers?: Record<string, string> }>();
let asked: string[] = [];
let service: TestService;
let userId: string;
/** The application of the API, which introspects tokens for it. */
let api: RelyingParty;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "signet-documents-"));
  const { cert, key } = createCertificate(folder);
  setDefaultCACertificates([...trusted, readFileSync(cert, "utf8")]);
  host = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, ({ url = "" }, response) => {
    asked.push(url);
    const { status = 200, body, headers = {} } = documents.get(url) ?? { status: 404, body: "{}" };
    response.writeHead(status, { "content-type": "application/json", connection: "close", ...headers }).end(body);
  });
  await new Promise<void>((resolve) => host.listen(0, "localhost", resolve));
  origin = `https://localhost:${(host.address() as AddressInfo).port}`;
  service = await startService("postgres", { CLIENT_METADATA_HOSTS: `apps.example.com, ${new URL(origin).host}` });
  userId = await importAda(service, VERIFIED);
  api = await createRelyingParty(service, { name: "MCP server" });
  await call(service, "AddAPI", {
    ...{ name: "MCP server", identifier: MCP, scopes: ["tools.call"], introspectorAppIds: [api.id] },
    allowsUnregisteredClients: true,
  });
});
beforeEach(() => {
  asked = [];
  service.clockOffsetMs = 0;
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await service?.close();
  host?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Publishes a document. Returns its URL, which is the client id. */
function publish(path: string, changes: JsonObject = {}): string {
  const client_id = origin + path;
  const document = {
    ...{ client_id, client_name: "Your bank", redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: "none" },
    ...changes,
  };
  documents.set(path, { body: JSON.stringify(document) });
  return client_id;
}

const connect = (id: string) => connectRelyingParty(service, { id, secret: undefined, redirectUri: REDIRECT_URI });

/** As long as a UUID. */
const pathOfLength36 = () => `/${"c".repeat(35 - origin.length)}`;

async function outcomeOf(id: string, parameters: Record<string, string> = {}): Promise<string> {
  const { url } = createRequest(await connect(id), { resource: MCP, ...parameters });
  const { location, status, text } = await newBrowser(service).open(url.href);
  if (location.includes("/ui/sign-in/")) return "sign-in";
  if (location !== "") return new URL(location).searchParams.get("error") ?? "no error";
  return `page ${status} ${/<code>([a-z_]*)<\/code>/.exec(text)?.[1]}`;
}

test("a client signs a user in for an API, which introspects its tokens", async () => {
  const id = publish(pathOfLength36());
  expect(id).toHaveLength(36);
  const party = await connect(id);
  expect(party.configuration.serverMetadata().client_id_metadata_document_supported).toBe(true);
  const request = createRequest(party, { scope: "openid offline_access tools.call", resource: MCP });
  const browser = newBrowser(service);
  const { location } = await browser.open(request.url.href);
  // The name in the document could be any.
  const { host: hostname } = new URL(origin);
  expect(await findRequest(service, browser, location)).toMatchObject({ app: { id, name: hostname } });
  const page = await browser.open(location);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining(hostname)]);
  expect(page.text).not.toContain("Your bank");
  const callback = new URL((await completeSignIn(service, browser, { location }, userId)).location);
  const tokens = await redeem(service, party, callback, request);
  expect(tokens.claims()).toMatchObject({ sub: userId, aud: id });
  expect(decodeJwt(tokens.access_token)).toMatchObject({ aud: MCP, client_id: id, scope: "tools.call", sub: userId });

  const introspect = (by: RelyingParty, token = tokens.access_token) =>
    client.tokenIntrospection(by.configuration, token);
  expect(await introspect(api)).toMatchObject({ active: true, aud: MCP, client_id: id, scope: "tools.call" });
  expect(await introspect(await createRelyingParty(service))).toEqual({ active: false });

  const refreshed = await client.refreshTokenGrant(party.configuration, String(tokens.refresh_token));
  keepSecret(service, refreshed);
  expect(await introspect(api, refreshed.access_token)).toMatchObject({ active: true });
  // Within five minutes, the document is fetched once.
  expect(asked).toEqual([new URL(id).pathname]);

  await call(service, "DeactivateUser", { id: userId });
  expect(await introspect(api, refreshed.access_token)).toEqual({ active: false });
  await call(service, "ReactivateUser", { id: userId });
});

test("the organization of the API is that of the users", async () => {
  const other = await service.createOrg("other");
  const identifier = "https://other.example.com/mcp";
  await call(
    service,
    "AddAPI",
    { name: "Other", identifier, allowsUnregisteredClients: true },
    { "x-service-orgid": other },
  );
  const party = await connect(publish("/other"));
  const browser = newBrowser(service);
  const response = await browser.open(createRequest(party, { resource: identifier }).url.href);
  expect(await findRequest(service, browser, response.location)).toMatchObject({ org: { id: other } });
  await expect(completeSignIn(service, browser, response, userId)).rejects.toMatchObject({ reason: "USER_NOT_FOUND" });
  const scope = `openid urn:signet:org:id:${service.orgId}`;
  expect(await outcomeOf(party.id, { resource: identifier, scope })).toBe("invalid_scope");
  await call(service, "DeactivateOrg", {}, { "x-service-orgid": other });
  expect(await outcomeOf(party.id, { resource: identifier })).toBe("invalid_target");
});

test("an API allows such clients, or introspects and refreshes no more of their tokens", async () => {
  const identifier = "https://closed.example.com/mcp";
  const settings = { name: "Closed", introspectorAppIds: [api.id] };
  const { id } = await call(service, "AddAPI", { ...settings, identifier });
  const party = await connect(publish("/opt-in"));
  expect(await outcomeOf(party.id, { resource: identifier })).toBe("invalid_target");

  const allow = (allowsUnregisteredClients: boolean) =>
    call(service, "UpdateAPI", { ...settings, id: String(id), allowsUnregisteredClients });
  await allow(true);
  const request = { scope: "openid offline_access", resource: identifier };
  const tokens = await signInAndRedeem(service, newBrowser(service), party, userId, request);
  const introspect = () => client.tokenIntrospection(api.configuration, tokens.access_token);
  expect(await introspect()).toMatchObject({ active: true });
  await allow(false);
  expect(await introspect()).toEqual({ active: false });
  const refresh = () => client.refreshTokenGrant(party.configuration, String(tokens.refresh_token));
  await expect(refresh()).rejects.toMatchObject({ error: "invalid_target" });
  await allow(true);
  expect(await introspect()).toMatchObject({ active: true });
  keepSecret(service, await refresh());
});

test("another organization gets no tokens for an identifier that it takes over", async () => {
  const other = await service.createOrg("successor");
  const identifier = "https://moved.example.com/mcp";
  const { id } = await call(service, "AddAPI", { name: "Moved", identifier, allowsUnregisteredClients: true });
  const party = await connect(publish("/moved-api"));
  const browser = newBrowser(service);
  const requested = { scope: "openid offline_access", resource: identifier };
  const tokens = await signInAndRedeem(service, browser, party, userId, requested);
  await call(service, "RemoveAPI", { id: String(id) });
  const successor = await createRelyingParty(service, { owner_id: other });
  const moved = { name: "Moved", identifier, allowsUnregisteredClients: true, introspectorAppIds: [successor.id] };
  await call(service, "AddAPI", moved, { "x-service-orgid": other });
  expect(await client.tokenIntrospection(successor.configuration, tokens.access_token)).toEqual({ active: false });
  await expect(client.refreshTokenGrant(party.configuration, String(tokens.refresh_token))).rejects.toMatchObject({
    error: "invalid_target",
  });
});

test("a client gets tokens for APIs only, whatever its document says", async () => {
  documents.set("/logout", { body: "" });
  const id = publish("/greedy", {
    ...{ signet_api_access: true, signet_org_id: service.orgId, signet_requires_pkce: false },
    ...{
      backchannel_logout_uri: `${origin}/logout`,
      jwks_uri: `${origin}/jwks`,
      require_pushed_authorization_requests: true,
    },
    grant_types: ["authorization_code", "client_credentials"],
    post_logout_redirect_uris: [`${origin}/signed-out`],
  });
  expect(await outcomeOf(id, { scope: "openid urn:signet:api" })).toBe("invalid_scope");
  const party = await connect(id);
  const withoutResource = createRequest(party);
  const { location } = await newBrowser(service).open(withoutResource.url.href);
  expect(new URL(location).searchParams.get("error")).toBe("invalid_target");
  const { url } = createRequest(party, { resource: MCP });
  url.searchParams.delete("code_challenge");
  const unchallenged = await newBrowser(service).open(url.href);
  expect(new URL(unchallenged.location).searchParams.get("error")).toBe("invalid_request");
  await expect(client.clientCredentialsGrant(party.configuration, { resource: MCP })).rejects.toMatchObject({
    error: "invalid_request",
  });

  const browser = newBrowser(service);
  const tokens = await signInAndRedeem(service, browser, party, userId, { resource: MCP });
  expect(tokens.claims()).not.toHaveProperty("sid");
  const { id_token } = await signInAndRedeem(service, browser, api, userId);
  await browser.open(`/oidc/v1/end_session?id_token_hint=${id_token}`);
  expect(asked).toEqual(["/greedy"]);
  expect(await client.tokenIntrospection(api.configuration, tokens.access_token)).toEqual({ active: false });
});

test.each<[title: string, prepare: () => string]>([
  ["on another host", () => "https://localhost/client"],
  ["that does not exist", () => `${origin}/none`],
  ["with another client_id", () => publish("/stolen", { client_id: `${origin}/greedy` })],
  ["with a secret", () => publish("/secret", { token_endpoint_auth_method: "client_secret_basic" })],
  ["with a key", () => publish("/key", { token_endpoint_auth_method: "private_key_jwt" })],
  ["without redirect_uris", () => publish("/empty", { redirect_uris: [] })],
  ["with a redirect_uri over http", () => publish("/http", { redirect_uris: ["http://app.example.com/callback"] })],
  ["that is too long", () => publish("/long", { client_name: "a".repeat(6_000) })],
  [
    "that is no JSON",
    () => {
      documents.set("/html", { body: "<html>" });
      return `${origin}/html`;
    },
  ],
  [
    "that is elsewhere",
    () => {
      publish("/target");
      documents.set("/moved", { status: 302, body: "", headers: { location: `${origin}/target` } });
      return `${origin}/moved`;
    },
  ],
])("a document %s is refused", async (_title, prepare) => {
  expect(await outcomeOf(prepare())).toBe("page 400 invalid_client");
});

test("the cause is logged", async () => {
  await outcomeOf(`${origin}/logged`);
  const msg = "the metadata document of a client could not be used";
  await until("it is logged", () => service.logs.some((line) => line.msg === msg && line.level === 40));
});

test("a redirect_uri must be in the document", async () => {
  const id = publish("/callback");
  expect(await outcomeOf(id)).toBe("sign-in");
  // Any port of a loopback address (RFC 8252, section 7.3).
  expect(await outcomeOf(id, { redirect_uri: "http://localhost:1234/callback" })).toBe("sign-in");
  expect(await outcomeOf(id, { redirect_uri: "https://evil.example.com/callback" })).toBe(
    "page 400 invalid_redirect_uri",
  );
});

test("by default, there are none", async () => {
  const plain = await startService("postgres");
  try {
    const party = await connectRelyingParty(plain, {
      ...{ id: publish("/default"), secret: undefined, redirectUri: REDIRECT_URI },
    });
    expect(party.configuration.serverMetadata()).not.toHaveProperty("client_id_metadata_document_supported");
    const { status } = await newBrowser(plain).open(createRequest(party, { resource: MCP }).url.href);
    expect([status, asked]).toEqual([400, []]);
  } finally {
    await plain.close();
  }
});

test("the account page of a user with such a client opens", async () => {
  const browser = newBrowser(service);
  const party = await connect(publish("/listed"));
  await signInAndRedeem(service, browser, party, userId, { resource: MCP, scope: "openid offline_access" });
  await signIn(service, browser, service.sessions.signInUrl({}), userId);
  const session = await service.sessions.find(browser.cookies("/ui/account"));
  expect((await service.sessions.list(userId)).sessions).toContainEqual(
    expect.objectContaining({ id: session?.id, appNames: [] }),
  );
});

test("strangers cannot keep a document from being fetched again", async () => {
  const fetch = createDocumentFetch(
    () => undefined,
    () => 0,
  );
  const known = publish("/known");
  await fetch(known);
  const fetchAfterOthers = async () => {
    const others = Array.from({ length: 80 }, (_, index) => fetch(`${origin}/other-${index}`));
    return (await Promise.allSettled([...others, fetch(known)])).at(-1);
  };
  expect(await fetchAfterOthers()).toMatchObject({ status: "fulfilled" });
  documents.delete("/known");
  expect(await fetchAfterOthers()).toMatchObject({ reason: { message: "the response has the status 404" } });
  expect(await fetchAfterOthers()).toMatchObject({ reason: { message: "too many documents are requested" } });
});

/** The last test, because it uses up what the others need. */
test("strangers cannot make Signet request any number of documents", async () => {
  const party = await connect(`${origin}/`);
  const openOthers = async () => {
    const urls = Array.from({ length: 80 }, (_, index) => {
      const { url } = createRequest(party, { client_id: `${origin}/random-${index}`, resource: MCP });
      return url.href;
    });
    return await Promise.all(urls.map((url) => newBrowser(service).open(url)));
  };
  // On a slow machine, more are allowed again while the first ones are requested.
  let opened = 0;
  while (opened <= asked.length) {
    opened += 80;
    expect(new Set((await openOthers()).map(({ status }) => status))).toEqual(new Set([400]));
  }
});
