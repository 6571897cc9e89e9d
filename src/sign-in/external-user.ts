import type { Configuration } from "openid-client";
import { ProviderError, ProviderResponseError } from "../idps/discover-provider.ts";
import type { SignInIdp } from "../idps/find-sign-in-idp.ts";
import type { AttemptValues } from "./idp-attempts.ts";

/** A provider's data about a user whom it has confirmed. Texts are trimmed, and empty if absent. */
export interface ExternalUser {
  /** The claim `sub`, case-sensitive. */
  readonly id: string;
  readonly preferredUsername: string;
  readonly email: string;
  /** Whether `email_verified` is exactly `true` in the same source as the address. */
  readonly emailVerified: boolean;
  readonly name: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly nickname: string;
  readonly locale: string;
}

/** The verified tokens that a provider returned for a code. */
export interface Redeemed {
  readonly externalUserId: string;
  readonly claims: Claims;
  readonly accessToken: string;
}

type Claims = Readonly<Record<string, unknown>>;

/** Unicode code points of a `sub`, as in the field `externalUserId` of ImportHumanUser. */
const LONGEST_ID = 200;
/** More than any field accepts. */
const LONGEST_CLAIM = 1_000;

/** The URL at which a provider's authentication starts. */
export async function authorizationUrl(
  configuration: Configuration,
  { scopes }: SignInIdp,
  { state, nonce, codeChallenge, redirectUri }: Omit<AttemptValues, "codeVerifier"> & Record<Extra, string>,
): Promise<URL> {
  const client = await loadClient();
  return client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: toScope(scopes),
    state,
    nonce,
    code_challenge: codeChallenge,
    code_challenge_method: "S256",
  });
}

type Extra = "codeChallenge" | "redirectUri";

/** `openid` always (OpenID Connect Core 1.0, section 3.1.2.1). */
function toScope(scopes: readonly string[]): string {
  return scopes.length === 0 ? "openid profile email" : [...new Set(["openid", ...scopes])].join(" ");
}

/**
 * Redeems the code of a callback and verifies the ID token: signature, issuer, audience, nonce and time.
 *
 * @param callback The redirect URI with the parameters of the response.
 * @throws ProviderResponseError if the provider's response is an error; otherwise ProviderError.
 */
export async function redeemCode(
  configuration: Configuration,
  callback: URL,
  { state, nonce, codeVerifier }: AttemptValues,
): Promise<Redeemed> {
  const client = await loadClient();
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier, idTokenExpected: true };
  const tokens = await client.authorizationCodeGrant(configuration, callback, checks).catch((cause) => {
    if (cause instanceof client.AuthorizationResponseError) throw new ProviderResponseError(cause.error);
    throw new ProviderError("the code could not be redeemed", { cause });
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new ProviderError("the token response has no ID token");
  return { externalUserId: checkId(claims.sub), claims: { ...claims }, accessToken: tokens.access_token };
}

/**
 * Reads the provider's data about the user from the ID token, and from the userinfo endpoint if there is one.
 *
 * @throws ProviderError
 */
export async function readExternalUser(
  configuration: Configuration,
  { externalUserId, claims, accessToken }: Redeemed,
): Promise<ExternalUser> {
  const client = await loadClient();
  const { userinfo_endpoint } = configuration.serverMetadata();
  const info: Claims =
    userinfo_endpoint === undefined
      ? {}
      : { ...(await client.fetchUserInfo(configuration, accessToken, externalUserId).catch(refuseUserInfo)) };
  const text = (name: string) => toText(claims[name]) || toText(info[name]);
  // `email_verified` counts only in the same source as the address.
  const withEmail = toText(claims.email) === "" ? info : claims;
  return {
    id: externalUserId,
    preferredUsername: text("preferred_username"),
    email: toText(withEmail.email),
    emailVerified: withEmail.email_verified === true,
    name: text("name"),
    givenName: text("given_name"),
    familyName: text("family_name"),
    nickname: text("nickname"),
    locale: text("locale").replaceAll("_", "-"),
  };
}

/** Loaded on first use, so that startup does not wait for these modules. */
function loadClient() {
  return import("openid-client");
}

function refuseUserInfo(cause: unknown): never {
  throw new ProviderError("the userinfo endpoint could not be used", { cause });
}

function toText(value: unknown): string {
  if (typeof value !== "string" || value.length > LONGEST_CLAIM) return "";
  return value.includes("\0") || !value.isWellFormed() ? "" : value.trim();
}

function checkId(sub: string): string {
  if (sub !== "" && [...sub].length <= LONGEST_ID && !sub.includes("\0") && sub.isWellFormed()) return sub;
  throw new ProviderError(`the claim sub must be 1 to ${LONGEST_ID} characters of valid Unicode`);
}
