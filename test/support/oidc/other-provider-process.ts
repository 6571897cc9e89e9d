/**
 * Third-party providers: oidc-provider in a separate process, one for each first path segment. It prints its origin.
 * `POST /<name>` configures a provider (`OtherProviderOptions`).
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import {
  type CryptoKey,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from "jose";
import { type Adapter, type AdapterPayload, type ClientMetadata, Provider } from "oidc-provider";
import type { OtherProviderOptions } from "./other-provider.ts";

interface Known {
  readonly options: OtherProviderOptions;
  readonly provider: Provider;
}

interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** A key that is published only by the variant `info-new-key`. */
const NEW_KID = "new";
const signingKeys = new Map<string, Promise<SigningKey>>();
const foreign = await generateKeyPair("RS256");
const known = new Map<string, Known>();
const server = createServer((request, response) => {
  serve(request, response).catch((error) => {
    console.error(error);
    response.writeHead(500).end();
  });
});
let origin = "";
server.listen(0, "127.0.0.1", () => {
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  console.log(origin);
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, name = "", rest = "/"] = /^\/([\w-]+)(\/.*)?$/.exec(request.url ?? "") ?? [];
  if (request.method === "POST" && rest === "/") {
    const options = JSON.parse(await readBody(request)) as OtherProviderOptions;
    const { provider } = known.get(name) ?? {};
    const { jwk } = await signingKeyOf(options);
    known.set(name, { options, provider: options.keepsState && provider ? provider : build(name, jwk) });
    response.end();
    return;
  }
  const found = known.get(name);
  if (found === undefined) {
    response.writeHead(404).end();
    return;
  }
  const { provider, options } = found;
  if (rest.startsWith("/interaction/")) return await interact(found, request, response);
  if (misbehave(options, rest, response)) return;
  if (rest === "/token" && options.variant === "raw-basic" && !hasRawBasic(options, request)) {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: "invalid_client", error_description: "Unauthorized" }));
    return;
  }
  if (rest === "/token" || rest === "/jwks" || rest.startsWith("/.well-known/")) {
    tamperWith(response, async (body) => JSON.stringify(await tamper(JSON.parse(body), options)));
  }
  if (rest === "/me" && options.variant?.startsWith("info-")) {
    tamperWith(response, (body) => forgeUserInfo(body, options));
  }
  Object.assign(request, { originalUrl: request.url, url: rest });
  await provider.callback()(request, response);
}

/** The key with the configured id, which is generated once. */
function signingKeyOf({ kid = "other" }: OtherProviderOptions): Promise<SigningKey> {
  const existing = signingKeys.get(kid) ?? generateSigningKey(kid);
  signingKeys.set(kid, existing);
  return existing;
}

async function generateSigningKey(kid: string): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(privateKey)), kid, alg: "RS256", use: "sig" } };
}

function build(name: string, jwk: JWK): Provider {
  const optionsOf = () => {
    const { options } = known.get(name) ?? {};
    if (options === undefined) throw new Error("unknown");
    return options;
  };
  const issuer = `${origin}/${name}`;
  return new Provider(issuer, {
    jwks: { keys: [jwk] },
    // Looked up for each request, because clients are configured later.
    adapter: adapterOf(() => optionsOf().clients),
    cookies: { keys: ["test"] },
    claims: {
      profile: ["name", "given_name", "family_name", "nickname", "preferred_username", "locale"],
      email: ["email", "email_verified"],
    },
    features: {
      devInteractions: { enabled: false },
      jwtUserinfo: { enabled: true },
      // The page of the library loads a font from elsewhere.
      rpInitiatedLogout: {
        logoutSource(ctx, form) {
          ctx.body = `<!doctype html><link rel=icon href=data:>${form}<button form="op.logoutForm" name=logout value=yes>Yes</button>`;
        },
      },
    },
    interactions: { url: (_ctx, { uid }) => `/${name}/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...optionsOf().account, sub }) }),
    async loadExistingGrant(ctx) {
      const { client, session, params } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({
        clientId: client?.clientId ?? "",
        accountId: session?.accountId ?? "",
      });
      grant.addOIDCScope(String(params?.scope));
      await grant.save();
      return grant;
    },
  });
}

function adapterOf(clients: () => readonly ClientMetadata[]) {
  const rows = new Map<string, AdapterPayload>();
  return (model: string): Adapter => ({
    async upsert(id: string, payload: AdapterPayload) {
      rows.set(`${model} ${id}`, payload);
    },
    async find(id: string) {
      if (model === "Client") return clients().find(({ client_id }) => client_id === id) as AdapterPayload | undefined;
      return rows.get(`${model} ${id}`);
    },
    async findByUid(uid: string) {
      for (const [key, row] of rows) {
        if (key.startsWith(`${model} `) && (row as { uid?: string }).uid === uid) return row;
      }
      return undefined;
    },
    async findByUserCode() {
      return undefined;
    },
    async destroy(id: string) {
      rows.delete(`${model} ${id}`);
    },
    async revokeByGrantId() {},
    async consume(id: string) {
      Object.assign(rows.get(`${model} ${id}`) ?? {}, { consumed: Math.floor(Date.now() / 1_000) });
    },
  });
}

/** Signs in the account, immediately or on a page. */
async function interact({ provider, options }: Known, request: IncomingMessage, response: ServerResponse) {
  if (options.declines) {
    await provider.interactionFinished(request, response, { error: "access_denied" });
  } else if (options.asks && request.method === "GET") {
    response.setHeader("content-type", "text/html");
    response.end(
      `<!doctype html><link rel=icon href=data:><h1>Other</h1><form method=post><button>Yes</button></form>`,
    );
  } else {
    await provider.interactionFinished(request, response, { login: { accountId: options.account.sub } });
  }
}

/** Compares the header Basic without decoding its values, like Google. True if there is none. */
function hasRawBasic({ clients }: OtherProviderOptions, { headers: { authorization = "" } }: IncomingMessage): boolean {
  if (!authorization.startsWith("Basic ")) return true;
  const sent = Buffer.from(authorization.slice("Basic ".length), "base64").toString();
  return clients.some(({ client_id, client_secret }) => sent === `${client_id}:${client_secret}`);
}

/** 60 KB that become 60 MB of white space. */
const BOMB = gzipSync(Buffer.alloc(60 * 1_024 * 1_024, " "));

/** Whether it has responded, or never will. */
function misbehave({ variant }: OtherProviderOptions, path: string, response: ServerResponse): boolean {
  const isToken = path === "/token";
  const isMetadata = path.startsWith("/.well-known/");
  const isKeys = path === "/jwks";
  if ((variant === "silent" && isToken) || (variant === "silent-metadata" && isMetadata)) return true;
  if (variant === "down-metadata" && isMetadata) return void response.writeHead(503).end() === undefined;
  if (variant === "down-userinfo" && path === "/me") return void response.writeHead(503).end() === undefined;
  if ((variant === "bomb-metadata" && isMetadata) || (variant === "bomb-keys" && isKeys)) {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    return void response.end(BOMB) === undefined;
  }
  if ((variant === "nested-metadata" && isMetadata) || (variant === "nested-keys" && isKeys)) {
    response.writeHead(200, { "content-type": "application/json" });
    return void response.end("[".repeat(32_000) + "]".repeat(32_000)) === undefined;
  }
  const isLoaded = isToken || isMetadata || isKeys;
  if (isLoaded && variant === (isToken ? "redirect" : isKeys ? "redirect-keys" : "redirect-metadata")) {
    return void response.writeHead(302, { location: `${origin}/elsewhere${path}` }).end() === undefined;
  }
  if (isLoaded && variant === (isToken ? "huge" : isKeys ? "huge-keys" : "huge-metadata")) {
    response.writeHead(200, { "content-type": "application/json" });
    const chunk = Buffer.alloc(64 * 1_024, " ");
    const pour = () => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once("drain", pour);
    };
    pour();
    return true;
  }
  return false;
}

/** Changes a response before it is sent. */
function tamperWith(response: ServerResponse, change: (body: string) => Promise<string>): void {
  const end = response.end.bind(response);
  response.end = ((body: string) => {
    change(String(body)).then((text) => {
      response.setHeader("content-length", Buffer.byteLength(text));
      end(text);
    });
    return response;
  }) as typeof response.end;
}

async function tamper(body: Record<string, unknown>, options: OtherProviderOptions) {
  const { variant, metadata = {} } = options;
  if ("authorization_endpoint" in body) {
    if (variant === "metadata-issuer") body.issuer = `${body.issuer}/`;
    return { ...body, ...metadata };
  }
  if (variant === "info-new-key" && Array.isArray(body.keys)) {
    const { jwk } = await signingKeyOf({ ...options, kid: NEW_KID });
    const { kty, n, e, kid, alg, use } = jwk;
    return { keys: [...body.keys, { kty, n, e, kid, alg, use }] };
  }
  if (typeof body.id_token !== "string") return body;
  return { ...body, id_token: await forge(body.id_token, options) };
}

async function forge(token: string, options: OtherProviderOptions): Promise<string> {
  const { variant, clients, secondsAhead = 0 } = options;
  const { privateKey, kid } = await signingKeyOf(options);
  const claims = decodeJwt(token);
  const sign = (changes: JWTPayload, key = privateKey) =>
    new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: "RS256", kid }).sign(key);
  const now = Math.floor(Date.now() / 1_000);
  switch (variant) {
    case "wrong-iss":
      return await sign({ iss: `${claims.iss}/` });
    case "wrong-aud":
      return await sign({ aud: "another-client" });
    case "wrong-nonce":
      return await sign({ nonce: "another-nonce" });
    case "no-nonce":
      return await sign({ nonce: undefined });
    case "expired":
      return await sign({ iat: now - 7_200, exp: now - 3_600 });
    case "old-session":
      return await sign({ auth_time: now + secondsAhead - 3_600 });
    case "no-auth-time":
      return await sign({ auth_time: undefined });
    case "future-auth-time":
      return await sign({ auth_time: now + secondsAhead + 86_400 });
    case "long-sub":
      return await sign({ sub: "s".repeat(201) });
    case "wrong-signature":
      return await sign({}, foreign.privateKey);
    case "unpublished-key":
      return await new SignJWT(claims)
        .setProtectedHeader({ alg: "RS256", kid: "unpublished" })
        .sign(foreign.privateKey);
    case "alg-none":
      return new UnsecuredJWT(claims).encode();
    case "alg-hs256": {
      const secret = Buffer.from(String(clients[0]?.client_secret));
      return await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(secret);
    }
    default: {
      const { auth_time } = claims;
      return secondsAhead > 0 && typeof auth_time === "number"
        ? await sign({ auth_time: auth_time + secondsAhead })
        : token;
    }
  }
}

/** Signed userinfo (OpenID Connect Core 1.0, section 5.3.2). */
async function forgeUserInfo(token: string, options: OtherProviderOptions): Promise<string> {
  const { variant, clients } = options;
  const claims = decodeJwt(token);
  const sign = async (changes: JWTPayload, kid = options.kid, key?: CryptoKey) => {
    const own = await signingKeyOf({ ...options, ...(kid !== undefined && { kid }) });
    const signer = new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: "RS256", kid: own.kid });
    return await signer.sign(key ?? own.privateKey);
  };
  switch (variant) {
    case "info-new-key":
      return await sign({}, NEW_KID);
    case "info-wrong-signature":
      return await sign({}, undefined, foreign.privateKey);
    case "info-wrong-iss":
      return await sign({ iss: `${claims.iss}/` });
    case "info-wrong-aud":
      return await sign({ aud: "another-client" });
    case "info-wrong-sub":
      return await sign({ sub: "another-user" });
    case "info-alg-none":
      return new UnsecuredJWT(claims).encode();
    case "info-alg-hs256": {
      const secret = Buffer.from(String(clients[0]?.client_secret));
      return await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(secret);
    }
    default:
      throw new Error(`unknown: ${variant}`);
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
