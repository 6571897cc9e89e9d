import { ProviderError } from "../../../idps/discover-provider.ts";
import type { SignInIdp } from "../../../idps/find-sign-in-idp.ts";
import { OutboundError } from "../../../outbound/outbound-fetch.ts";

/** What the user is told about a provider that cannot be used. */
export type IdpProblem =
  /** No response, or none that is of use. Another attempt may succeed. */
  | "unreachable"
  /** The provider rejects the client id or the client secret. */
  | "refused"
  /** The response cannot be used, or is not verifiably from the provider. */
  | "invalid";

/** More than any chain of causes has. */
const MAX_DEPTH = 5;

/** Reads an error of a provider and its causes. */
export function findIdpProblem(error: unknown): IdpProblem {
  let current = error;
  for (let depth = 0; depth < MAX_DEPTH && current instanceof Error; depth++) {
    if (current instanceof OutboundError) return "unreachable";
    const found = ofCode(current) ?? ofStatus(current);
    if (found !== undefined) return found;
    current = current.cause;
  }
  // The response of the token endpoint, if it is not a valid OAuth error.
  if (!(current instanceof Response)) return "invalid";
  return current.status === 401 ? "refused" : (ofStatus(current) ?? "invalid");
}

/** RFC 6749, sections 4.1.2.1 and 5.2, and the errors of GitHub. */
function ofCode(error: Error): IdpProblem | undefined {
  switch ("error" in error ? error.error : undefined) {
    case "invalid_client":
    case "unauthorized_client":
    case "incorrect_client_credentials":
      return "refused";
    case "server_error":
    case "temporarily_unavailable":
      return "unreachable";
    default:
      return undefined;
  }
}

function ofStatus(error: object): IdpProblem | undefined {
  return "status" in error && Number(error.status) >= 500 ? "unreachable" : undefined;
}

/** How many nested causes are described. openid-client's errors do not have more. */
const MAX_DESCRIBED = 4;

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
  for (let current = error; current instanceof Error && parts.length < MAX_DESCRIBED; current = current.cause) {
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
