import type { Configuration } from "openid-client";
import { trimXmlSpace } from "../../fields/trim-xml-space.ts";
import { ProviderError, ProviderResponseError } from "../../idps/discover-provider.ts";
import type { SignInIdp } from "../../idps/find-sign-in-idp.ts";
import { requiresAuthTime } from "../../idps/kinds.ts";
import { type Freshness, type ProviderWord, readAuthTime, toParameters } from "./freshness.ts";
import type { AttemptValues } from "./idp-attempts.ts";
import type { IdpClient, OAuthClient, OpenIdClient } from "./idp-clients.ts";
import type { Claims } from "./kinds/kind.ts";
import { SIGN_IN_KINDS } from "./kinds/kinds.ts";
import { findUser, loadBelow, readUserEndpoint, readUserInfo } from "./read-user.ts";
import { redeemSamlResponse, type SamlClient, type SamlRedeemed } from "./saml-sign-in.ts";
import { redeemWithSecret } from "./token-endpoint.ts";

/** A provider's data about a user whom it has confirmed. Texts are trimmed, and empty if absent. */
export interface ExternalUser {
  /** The claim `sub` or that of the kind, or the id at the user endpoint, case-sensitive. */
  readonly id: string;
  /** See `ExternalIds`; absent if there are none. */
  readonly otherIds?: readonly string[];
  readonly preferredUsername: string;
  readonly email: string;
  /**
   * Whether `email_verified` is `true`, as a boolean or a text, in the same source as the address; or if it is missing,
   * whether addresses of the provider are trusted (`trustEmail`).
   */
  readonly emailVerified: boolean;
  readonly name: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly nickname: string;
  readonly locale: string;
}

/** The verified tokens that a provider returned for a code. */
interface Redeemed {
  readonly externalUserId: string;
  /** See `ExternalIds`; absent if there are none. */
  readonly otherIds?: readonly string[];
  /** When the user authenticated at the provider, in seconds since 1970; undefined if the provider has not reported it. */
  readonly authTime: number | undefined;
  readonly claims: Claims;
  readonly accessToken: string;
}

type AnyRedeemed = Redeemed | SamlRedeemed;

/** What the request tells the provider about the sign-in. */
export interface ProviderHints extends Pick<Freshness, "mustAuthenticate" | "maxAge"> {
  readonly loginHint: string | undefined;
}

/** Unicode code points of a `sub`, as in the field `externalUserId` of ImportHumanUser. */
const LONGEST_ID = 200;
/** More than any field accepts. */
const LONGEST_CLAIM = 1_000;

type TokenClient = OpenIdClient | OAuthClient;

/** The URL at which a provider's authentication starts. */
export async function authorizationUrl(
  { kind, idp, configuration }: TokenClient,
  { state, nonce, codeChallenge, redirectUri }: Omit<AttemptValues, "codeVerifier"> & Record<Extra, string>,
  { loginHint, word, ...freshness }: ProviderHints & { readonly word: ProviderWord },
): Promise<URL> {
  const client = await loadClient();
  const scope = toScope(kind, idp.scopes);
  const { prompt, ...maxAge } = toParameters(freshness, word);
  return client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    state,
    ...(scope !== "" && { scope }),
    ...(kind.usesPkce(idp) && { code_challenge: codeChallenge, code_challenge_method: "S256" }),
    // Some providers of OAuth 2.0 know it, too. All others ignore it (RFC 6749, section 3.1).
    ...(prompt !== undefined && { prompt }),
    ...(kind.protocol === "openid" && {
      nonce,
      ...maxAge,
      ...(loginHint !== undefined && { login_hint: loginHint }),
      ...kind.parameters,
    }),
  });
}

/** What the word of a provider is worth. */
export function wordOf({ kind, settings }: Pick<SignInIdp, "kind" | "settings">): ProviderWord {
  return {
    canPrompt: SIGN_IN_KINDS[kind].protocol !== "oauth",
    requiresAuthTime: requiresAuthTime(kind, settings),
    isTrusted: settings.requireAuthTime === false,
  };
}

type Extra = "codeChallenge" | "redirectUri";

/** `openid` always, unless the protocol is OAuth (OpenID Connect Core 1.0, section 3.1.2.1). */
function toScope({ protocol, scopes: needed }: TokenClient["kind"], scopes: readonly string[]): string {
  const chosen = scopes.length === 0 ? needed : scopes;
  return [...new Set(protocol === "openid" ? ["openid", ...chosen] : chosen)].join(" ");
}

/**
 * Redeems the code of a callback. Verifies the ID token: signature, issuer, audience, nonce and time. A provider without
 * one is asked who the user is.
 *
 * @param callback The redirect URI with the parameters of the response.
 * @param attempt `address`: that of the browser.
 * @throws ProviderResponseError if the provider's response is an error; otherwise ProviderError.
 */
export async function redeemCode(
  client: IdpClient,
  callback: URL,
  attempt: AttemptValues & { readonly response?: string | null; readonly address: string },
  now: Date,
): Promise<AnyRedeemed> {
  if ("thread" in client) return await redeemResponse(client, attempt, now);
  const tokens = await redeem(client, callback, attempt);
  if (!("keys" in client)) {
    const accessToken = tokens.access_token;
    const path = client.kind.idAttribute(client.idp);
    const { id, user } = findUser(await readUserEndpoint(client, accessToken), path);
    return { externalUserId: checkId(id, path), authTime: undefined, claims: user, accessToken };
  }
  const claims = tokens.claims();
  if (claims === undefined || tokens.id_token === undefined) {
    throw new ProviderError("the token response has no ID token");
  }
  // openid-client has checked the claims, but not the signature.
  await client.keys.verify(tokens.id_token).catch((cause) => {
    throw new ProviderError("the ID token could not be verified", { cause });
  });
  client.kind.checkClaims?.(claims, client.idp);
  const authTime = readAuthTime(claims.auth_time);
  const { id, otherIds } = client.kind.idsOf?.(claims, client.idp) ?? { id: claims.sub, otherIds: [] };
  const ids = { externalUserId: checkId(id), otherIds: otherIds.map((other) => checkId(other)) };
  return { ...ids, authTime, claims: { ...claims }, accessToken: tokens.access_token };
}

/**
 * Verifies the response of a SAML provider, to a request or to none.
 *
 * @throws ProviderResponseError if it is an error; otherwise ProviderError.
 */
export async function redeemResponse(
  client: SamlClient,
  received: { readonly nonce: string | undefined; readonly response?: string | null; readonly address: string },
  now: Date,
): Promise<SamlRedeemed> {
  const redeemed = await redeemSamlResponse(client, received, now);
  return { ...redeemed, externalUserId: checkId(redeemed.externalUserId) };
}

async function redeem({ kind, idp, tokenConfigurations }: TokenClient, callback: URL, attempt: AttemptValues) {
  const client = await loadClient();
  const { state, nonce, codeVerifier } = attempt;
  const isOpenId = kind.protocol === "openid";
  // Without metadata, or with those of several tenants, the issuer is not known yet.
  if (!isOpenId || kind.issuerPattern !== undefined) callback.searchParams.delete("iss");
  const checks = {
    expectedState: state,
    ...(isOpenId && { expectedNonce: nonce, idTokenExpected: true }),
    ...(kind.usesPkce(idp) && { pkceCodeVerifier: codeVerifier }),
  };
  const send = (configuration: Configuration) => client.authorizationCodeGrant(configuration, callback, checks);
  return await redeemWithSecret(tokenConfigurations, send).catch((cause) => {
    if (cause instanceof client.AuthorizationResponseError) {
      throw new ProviderResponseError(cause.error, cause.error_description);
    }
    throw new ProviderError("the code could not be redeemed", { cause });
  });
}

interface ReceivedUser {
  /** What is read of it. */
  readonly user: ExternalUser;
  /** As it came, by where it came from. */
  readonly sources: readonly (readonly [source: string, claims: Claims])[];
}

/** As `receiveExternalUser`. */
export async function readExternalUser(client: IdpClient, redeemed: AnyRedeemed, name?: Claims): Promise<ExternalUser> {
  return (await receiveExternalUser(client, redeemed, name)).user;
}

/**
 * Reads the provider's data about the user: from the ID token and the userinfo endpoint, or from the user endpoint.
 *
 * @param name The name in the response in the browser, which only some kinds send there.
 * @throws ProviderError
 */
export async function receiveExternalUser(
  client: IdpClient,
  redeemed: AnyRedeemed,
  name: Claims = {},
): Promise<ReceivedUser> {
  if ("thread" in client || "assertion" in redeemed) {
    if (!("thread" in client && "assertion" in redeemed)) throw new Error("the response is of another protocol");
    const { nameId, nameIdFormat, attributes } = redeemed.assertion;
    return {
      user: toExternalUser(redeemed.externalUserId, client.kind.toClaims(redeemed.assertion, client.idp)),
      sources: [["assertion", { NameID: nameId, Format: nameIdFormat, ...Object.fromEntries(attributes) }]],
    };
  }
  const { externalUserId: id, otherIds, claims, accessToken } = redeemed;
  if (!("keys" in client)) {
    const sources: [string, Claims][] = [["user endpoint", claims]];
    const load = async (path: string) => {
      const loaded = await loadBelow(client, accessToken, path);
      sources.push([`user endpoint${path}`, { ...(loaded as object) }]);
      return loaded;
    };
    return { user: toExternalUser(id, await client.kind.toClaims(claims, load)), sources };
  }
  const { kind, idp } = client;
  const info: Claims = kind.readsUserInfo(idp)
    ? await readUserInfo(client, { sub: claims.sub, accessToken }).catch((cause) => {
        throw new ProviderError("the userinfo endpoint could not be used", { cause });
      })
    : {};
  const merged = mergeClaims(claims, info);
  const user = toExternalUser(id, kind.toClaims?.(merged, idp, name) ?? merged);
  return {
    user: { ...user, ...(otherIds && { otherIds }) },
    sources: [
      ["ID token", claims],
      ["userinfo", info],
    ],
  };
}

/**
 * The claims of the ID token come first. `email_verified` counts only in the same source as the address, unless it says
 * that an address is not verified.
 */
export function mergeClaims(claims: Claims, info: Claims): Claims {
  const filled = Object.entries(claims).filter(([, value]) => toText(value) !== "");
  const [{ email, ...source }, other] = toText(claims.email) === "" ? [info, claims] : [claims, info];
  const email_verified = source.email_verified ?? (isYes(other.email_verified) ? undefined : other.email_verified);
  return { ...claims, ...info, ...Object.fromEntries(filled), email, email_verified };
}

function toExternalUser(id: string, claims: Claims): ExternalUser {
  const text = (name: string) => toText(claims[name]);
  return {
    id,
    preferredUsername: text("preferred_username"),
    email: text("email"),
    emailVerified: isYes(claims.email_verified),
    name: text("name"),
    givenName: text("given_name"),
    familyName: text("family_name"),
    nickname: text("nickname"),
    locale: text("locale").replaceAll("_", "-"),
  };
}

function isYes(claim: unknown): boolean {
  return claim === true || claim === "true";
}

/** Loaded on first use, so that startup does not wait for these modules. */
function loadClient() {
  return import("openid-client");
}

function toText(value: unknown): string {
  if (typeof value !== "string" || value.length > LONGEST_CLAIM) return "";
  return value.includes("\0") || !value.isWellFormed() ? "" : trimXmlSpace(value);
}

function checkId(id: string, name = "the claim sub"): string {
  if (id !== "" && [...id].length <= LONGEST_ID && !id.includes("\0") && id.isWellFormed()) return id;
  throw new ProviderError(`${name} must be 1 to ${LONGEST_ID} characters of valid Unicode`);
}
