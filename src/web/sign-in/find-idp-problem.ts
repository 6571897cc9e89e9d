import { OutboundError } from "../../outbound/outbound-fetch.ts";

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
