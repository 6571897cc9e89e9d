import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, importSPKI, jwtVerify, SignJWT } from "jose";
import type { ProviderHosts } from "../../../src/sign-in/provider/kinds/provider-hosts.ts";

/** A user at one of the providers. `id` is the `sub`, or the number at GitHub. */
export interface BrandedUser {
  readonly id: string;
  readonly email: string;
  /** What the provider says about the address; undefined if it says nothing. */
  readonly verified: boolean | string | undefined;
  readonly login?: string;
}

/** The name of every user. */
export const NAME = { given: "Grace", family: "Hopper" };
export const CLIENT = { clientId: "signet.example", clientSecret: "the-client.secret_of~signet" };
/** The tenant of every user at Microsoft. */
export const TENANT = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490";

/** The object id of a user at Microsoft. */
export function objectIdOf({ id }: Pick<BrandedUser, "id">): string {
  return `8b0d3c1e-0000-4000-8000-${id.padStart(12, "0")}`;
}

/** Providers that behave as those of these brands are documented to. */
export interface BrandedProviders {
  readonly origin: string;
  readonly hosts: ProviderHosts;
  /** The user who signs in next. */
  user: BrandedUser;
  /** How the next sign-ins end at the provider. */
  mood: "willing" | "declining" | "down";
  /** Requests that violate a rule of the provider. */
  readonly faults: string[];
  /** All access tokens. */
  readonly tokens: string[];
  close(): Promise<void>;
}

/** The errors of brands for a wrong client secret, if it is not that of RFC 6749. */
const CLIENT_ERRORS: Readonly<Record<string, string>> = {
  github: "incorrect_client_credentials",
  x: "unauthorized_client",
};

interface Grant {
  readonly user: BrandedUser;
  readonly query: URLSearchParams;
}

/** @param appleKey The public key of the Sign in with Apple key, as PEM. */
export async function startBrandedProviders(appleKey: string): Promise<BrandedProviders> {
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "k", alg: "RS256", use: "sig" };
  const grants = new Map<string, Grant>();
  const knownToApple = new Set<string>();
  const server = createServer((request, response) => {
    serve(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const at = (name: string) => `${origin}/${name}`;
  const providers: BrandedProviders = {
    origin,
    hosts: {
      google: at("google"),
      microsoft: at("microsoft"),
      apple: at("apple"),
      gitlab: at("gitlab"),
      github: at("github"),
      githubApi: at("githubapi"),
    },
    user: { id: "1", email: "", verified: false },
    mood: "willing",
    faults: [],
    tokens: [],
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const send = (response: ServerResponse, json: unknown, status = 200) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? "", origin);
    const [, brand = "", rest = ""] = /^\/(\w+)(.*)$/.exec(url.pathname) ?? [];
    if (providers.mood === "down" && !rest.endsWith("/authorize")) return send(response, {}, 503);
    if (rest.endsWith("/.well-known/openid-configuration")) return send(response, metadataOf(brand, rest));
    if (rest.endsWith("/jwks")) return send(response, { keys: [jwk] });
    if (rest.endsWith("/authorize")) return authorize(brand, url.searchParams, response);
    if (/\/(token|access_token)$/.test(rest)) return await redeem(brand, request, response);
    return readUser(brand, rest, request, response);
  }

  function metadataOf(brand: string, rest: string) {
    const base = at(brand + rest.replace("/.well-known/openid-configuration", ""));
    const issuer = brand === "microsoft" ? base.replace(/\/(common|organizations)\//, "/{tenantid}/") : base;
    return {
      issuer,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      jwks_uri: `${base}/jwks`,
      ...(brand !== "apple" && { userinfo_endpoint: `${base}/userinfo` }),
      token_endpoint_auth_methods_supported:
        brand === "apple" ? ["client_secret_post"] : ["client_secret_basic", "client_secret_post"],
    };
  }

  function authorize(brand: string, query: URLSearchParams, response: ServerResponse) {
    const { user, faults, mood } = providers;
    const code = randomBytes(9).toString("base64url");
    grants.set(code, { user, query });
    const error = brand === "apple" ? "user_cancelled_authorize" : "access_denied";
    const answer = { state: query.get("state") ?? "", ...(mood === "declining" ? { error } : { code }) };
    if (brand !== "apple") {
      const to = new URL(query.get("redirect_uri") ?? "");
      for (const [name, value] of Object.entries(answer)) to.searchParams.set(name, value);
      return response.writeHead(302, { location: to.href }).end();
    }
    if (query.get("response_mode") !== "form_post") faults.push("apple: response_mode must be form_post");
    const isNew = mood !== "declining" && !knownToApple.has(user.id);
    if (isNew) knownToApple.add(user.id);
    const name = { firstName: NAME.given, lastName: NAME.family };
    const form = { ...answer, ...(isNew && { user: JSON.stringify({ name, email: user.email }) }) };
    const inputs = Object.entries(form).map(
      ([key, value]) => `<input type="hidden" name="${key}" value="${value.replaceAll('"', "&quot;")}">`,
    );
    const page = `<!doctype html><link rel=icon href=data:><form method="post" action="${query.get("redirect_uri")}">${inputs.join("")}<button>Yes</button></form>`;
    return response.writeHead(200, { "content-type": "text/html" }).end(page);
  }

  async function redeem(brand: string, request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const { user, query } = grants.get(form.get("code") ?? "") ?? {};
    const verifier = form.get("code_verifier");
    const challenge = verifier && createHash("sha256").update(verifier).digest("base64url");
    if (user === undefined || query === undefined || query.get("code_challenge") !== challenge) {
      // GitHub's errors have the status 200.
      return send(response, { error: "bad_verification_code" }, brand.startsWith("github") ? 200 : 400);
    }
    if (!(await isClient(brand, request, form))) {
      const error = CLIENT_ERRORS[brand] ?? "invalid_client";
      return send(response, { error }, brand === "github" ? 200 : 401);
    }
    providers.tokens.push(form.get("code") ?? "");
    const tokens = { access_token: form.get("code"), token_type: "Bearer", scope: query.get("scope") ?? "" };
    // GitHub answers with a form unless it is asked for JSON.
    if (brand.startsWith("github") && !request.headers.accept?.includes("application/json")) {
      return response.end(String(new URLSearchParams({ access_token: String(tokens.access_token) })));
    }
    if (brand.startsWith("github") || brand === "oauth" || brand === "x") return send(response, tokens);
    return send(response, { ...tokens, id_token: await idToken(brand, request, user, query) });
  }

  /** Google and others compare the header without decoding it, X takes nothing else, and Apple no secret but a JWT. */
  async function isClient(brand: string, { headers }: IncomingMessage, form: URLSearchParams): Promise<boolean> {
    if (brand !== "apple") {
      const basic = `Basic ${Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString("base64")}`;
      if (headers.authorization !== undefined || brand === "x") return headers.authorization === basic;
      return form.get("client_id") === CLIENT.clientId && form.get("client_secret") === CLIENT.clientSecret;
    }
    const options = { audience: at("apple"), issuer: "ABCDE12345", subject: CLIENT.clientId, algorithms: ["ES256"] };
    const key = await importSPKI(appleKey, "ES256");
    const verified = await jwtVerify(form.get("client_secret") ?? "", key, options).catch(() => undefined);
    const { exp = 0, iat = 0 } = verified?.payload ?? {};
    return verified?.protectedHeader.kid === "KEYID12345" && exp > iat && exp - iat <= 15_777_000;
  }

  async function idToken(brand: string, { url }: IncomingMessage, user: BrandedUser, query: URLSearchParams) {
    const base = at((url ?? "").slice(1).replace(/\/token$/, ""));
    const { id: sub, email, verified } = user;
    const name = `${NAME.given} ${NAME.family}`;
    const names = { name, given_name: NAME.given, family_name: NAME.family };
    const claims: Record<string, object> = {
      google: { ...names, email, email_verified: verified },
      // Documented without `email_verified`, and with any address that an administrator has set.
      microsoft: {
        ...{ name, email, email_verified: verified, preferred_username: user.login },
        ...{ tid: TENANT, oid: objectIdOf(user) },
      },
      // A text, and no name.
      apple: { email, ...(verified !== undefined && { email_verified: String(verified) }), is_private_email: "false" },
      oidc: { ...names, email, email_verified: verified, preferred_username: user.login },
      gitlab: {},
      gitlabs: {},
    };
    const iss = brand === "microsoft" ? base.replace(/\/(common|organizations)\//, `/${TENANT}/`) : base;
    return await new SignJWT({ ...claims[brand], nonce: query.get("nonce") ?? "" })
      .setProtectedHeader({ alg: "RS256", kid: "k" })
      .setIssuer(iss)
      .setAudience(CLIENT.clientId)
      .setSubject(sub)
      .setIssuedAt()
      .setExpirationTime("5m")
      .sign(privateKey);
  }

  function readUser(brand: string, rest: string, { headers }: IncomingMessage, response: ServerResponse) {
    const { user } = grants.get(headers.authorization?.replace(/^Bearer /i, "") ?? "") ?? {};
    if (user === undefined) return send(response, { message: "Bad credentials" }, 401);
    const { id, email, verified, login } = user;
    const name = `${NAME.given} ${NAME.family}`;
    if (brand.startsWith("github")) {
      if (!headers["user-agent"]) return send(response, { message: "user agent required" }, 403);
      if (rest.endsWith("/emails")) {
        const other = { email: "other@example.com", primary: false, verified: true, visibility: null };
        return send(response, [other, { email, primary: true, verified, visibility: "private" }]);
      }
      return send(response, { id: Number(id), login, name, email: null });
    }
    if (brand === "oauth") return send(response, { user_id: id, name, email, email_verified: verified });
    // X has no `email`, but others with such a member do.
    if (brand === "x") return send(response, { data: { id, name, username: login, email, email_verified: verified } });
    if (brand.startsWith("gitlab")) {
      return send(response, { sub: id, name, nickname: login, email, email_verified: verified });
    }
    return send(response, { sub: id, given_name: NAME.given, family_name: NAME.family, name });
  }

  return providers;
}
