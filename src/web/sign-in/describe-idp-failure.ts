import { ProviderError } from "../../idps/discover-provider.ts";
import type { SignInIdp } from "../../idps/find-sign-in-idp.ts";

/** How many nested causes are described. openid-client's errors do not have more. */
const MAX_DEPTH = 4;

/** Code points of a text from the provider. */
const LONGEST_TEXT = 200;

/**
 * Converts a provider error for the log, without stack and values. Returns undefined for any other error, which is a
 * defect in Signet. These failures are not recorded as events: until the ID token is verified, there is no user, and
 * anyone could fill the table.
 *
 * @param secrets Replaced in the texts of the provider, which may repeat what it was sent.
 */
export function describeIdpFailure(
  { id }: Pick<SignInIdp, "id">,
  error: unknown,
  secrets: readonly string[],
): Error | undefined {
  if (!(error instanceof ProviderError)) return undefined;
  const failure = new Error(`identity provider ${id}: ${describe(error, secrets)}`);
  failure.name = "IdpFailure";
  // The stack within the library does not help to find the cause.
  failure.stack = "";
  return failure;
}

/** openid-client's messages do not contain token values. Texts from the provider are truncated. */
function describe(error: unknown, secrets: readonly string[]): string {
  const parts: string[] = [];
  for (let current = error; current instanceof Error && parts.length < MAX_DEPTH; current = current.cause) {
    const { message } = current;
    const code = "code" in current ? String(current.code) : "";
    const part = `${message || code}${describeOAuthError(current, secrets)}`;
    if (!parts.includes(part)) parts.push(part);
  }
  // The error of a text that is not JSON quotes its start.
  return toPrintable(parts.join(": ")).slice(0, 500);
}

/** The parameters of an OAuth error (RFC 6749, sections 4.1.2.1 and 5.2). */
function describeOAuthError(error: Error, secrets: readonly string[]): string {
  if (!("error" in error)) return "";
  const texts = [error.error, "error_description" in error ? error.error_description : undefined];
  const quoted = texts.filter((text) => typeof text === "string").map((text) => quote(text, secrets));
  return ` (${quoted.join(", ")})`;
}

/** Without control characters and other invisible ones, which could change how a terminal shows the log. */
function toPrintable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ");
}

function quote(text: string, secrets: readonly string[]): string {
  let shown = text;
  for (const secret of secrets) if (secret !== "") shown = shown.replaceAll(secret, "[secret]");
  return JSON.stringify([...toPrintable(shown.slice(0, 2 * LONGEST_TEXT))].slice(0, LONGEST_TEXT).join(""));
}
