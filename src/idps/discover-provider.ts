import { z } from "zod";
import type { OutboundFetch } from "../outbound/outbound-fetch.ts";

/** The part of a provider's metadata that Signet uses (OpenID Connect Discovery 1.0, section 3). */
export type ProviderMetadata = z.infer<typeof METADATA>;

/** Why a provider cannot be used, in one line for the operator. Contains no secret. */
export class ProviderError extends Error {
  override readonly name: string = "ProviderError";
}

/** The provider has responded with an OAuth error, such as `access_denied` (RFC 6749, section 4.1.2.1). */
export class ProviderResponseError extends ProviderError {
  override readonly name = "ProviderResponseError";
  readonly error: string;
  readonly error_description: string | undefined;
  constructor(error: string, description: string | undefined) {
    super("the provider responded with an error");
    this.error = error;
    this.error_description = description;
  }
}

/** The provider has responded with another status than 200. */
export class ProviderStatusError extends ProviderError {
  override readonly name = "ProviderStatusError";
  readonly status: number;
  constructor(url: string, status: number) {
    super(`${url} responds with status ${status} instead of 200`);
    this.status = status;
  }
}

/** Checked as a whole: an issue for each item of a hostile list would take 70 ms. */
const NAMES = z.custom<string[]>((value) => Array.isArray(value) && value.every((item) => typeof item === "string"), {
  error: "expected a list of strings",
});

const METADATA = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  userinfo_endpoint: z.string().optional(),
  // Sign-ins do not need it, so they do not fail because of an invalid one.
  end_session_endpoint: z.string().optional().catch(undefined),
  token_endpoint_auth_methods_supported: NAMES.optional(),
  id_token_signing_alg_values_supported: NAMES.optional(),
  scopes_supported: NAMES.optional(),
  code_challenge_methods_supported: NAMES.optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

const ENDPOINTS = ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"] as const;

/**
 * Fetches a provider's metadata. The issuer in it must be the configured one, character by character (section 4.3), or
 * match a pattern.
 *
 * @throws ProviderError if the metadata cannot be loaded or used.
 */
export async function discoverProvider(
  fetch: OutboundFetch,
  issuer: string,
  pattern?: RegExp,
): Promise<ProviderMetadata> {
  const metadata = parse(await load(fetch, issuer));
  if (pattern === undefined ? metadata.issuer !== issuer : !pattern.test(metadata.issuer)) {
    throw new ProviderError(
      `issuer: the metadata has the issuer ${quote(metadata.issuer)}, which does not exactly match the configured one`,
    );
  }
  for (const name of ENDPOINTS) {
    const problem = describeEndpointProblem(metadata[name], issuer);
    if (problem !== undefined) throw new ProviderError(`${name}: ${problem}`);
  }
  return metadata;
}

/**
 * The URL at which a browser signs out at a provider (OpenID Connect RP-Initiated Logout 1.0, section 2.1).
 *
 * @returns Undefined if the provider has none.
 * @throws ProviderError if it cannot be used.
 */
export function findEndSessionEndpoint(
  { end_session_endpoint: endpoint }: Pick<ProviderMetadata, "end_session_endpoint">,
  issuer: string,
): string | undefined {
  const problem = describeEndpointProblem(endpoint, issuer);
  if (problem !== undefined) throw new ProviderError(`end_session_endpoint: ${problem}`);
  return endpoint;
}

/** The address of a provider's metadata (section 4.1). */
function metadataUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
}

async function load(fetch: OutboundFetch, issuer: string): Promise<unknown> {
  const url = metadataUrl(issuer);
  let response: Response;
  try {
    response = await fetch(url, { headers: { accept: "application/json" } });
  } catch (cause) {
    throw new ProviderError(`${url} cannot be loaded`, { cause });
  }
  if (response.status !== 200) throw new ProviderStatusError(url, response.status);
  try {
    return await response.json();
  } catch (cause) {
    throw new ProviderError(`${url} is not JSON`, { cause });
  }
}

function parse(json: unknown): ProviderMetadata {
  const parsed = METADATA.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ProviderError(`the metadata is invalid at ${issue?.path.join(".") || "their root"}: ${issue?.message}`);
}

function describeEndpointProblem(value: string | undefined, issuer: string): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.parse(value);
  if (url === null) return `${quote(value)} is not a URL`;
  if (url.username !== "" || url.password !== "") return "has a user name or password";
  // The schema of the API allows http for an issuer on this machine only.
  const allowed = issuer.startsWith("http:") ? ["http:", "https:"] : ["https:"];
  return allowed.includes(url.protocol) ? undefined : `${quote(value)} is not an https URL`;
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}
