import { ProviderError } from "../../idps/discover-provider.ts";
import type { SignInIdp } from "../../idps/find-sign-in-idp.ts";

/** How many nested causes are described. openid-client's errors do not have more. */
const MAX_DEPTH = 4;

/**
 * Converts a provider error for the log, without stack and values. Returns undefined for any other error, which is a
 * defect in Signet.
 */
export function describeIdpFailure({ id }: Pick<SignInIdp, "id">, error: unknown): Error | undefined {
  if (!(error instanceof ProviderError)) return undefined;
  const failure = new Error(`identity provider ${id}: ${describe(error)}`);
  failure.name = "IdpFailure";
  // The stack within the library does not help to find the cause.
  failure.stack = "";
  return failure;
}

/** openid-client's messages do not contain token values. Texts from the provider are truncated. */
function describe(error: unknown): string {
  const parts: string[] = [];
  for (let current = error; current instanceof Error && parts.length < MAX_DEPTH; current = current.cause) {
    const { message } = current;
    const code = "code" in current ? String(current.code) : "";
    const oauthError = "error" in current ? ` (${JSON.stringify(String(current.error).slice(0, 100))})` : "";
    const part = `${message || code}${oauthError}`;
    if (!parts.includes(part)) parts.push(part);
  }
  return parts.join(": ").slice(0, 500);
}
