import type { QueryCaller } from "../../call.ts";
import type { FindCodeParts, FoundCode } from "../../codes/find-code.ts";
import { retryWithCode } from "../../codes/retry-with-code.ts";
import { codeToValues } from "../../codes/use-code.ts";
import { eventsToJson } from "../../events/append-events.ts";
import { prepareMarkVerified, toIdentifierKey } from "./prepare-mark-verified.ts";

type VerifyEmailOutcome =
  | { readonly kind: "verified" }
  /** It is the user name of another user. */
  | { readonly kind: "taken" }
  /** The code or the user has changed since the code was found; `code` is the current state. */
  | { readonly kind: "changed"; readonly code: FoundCode };

/**
 * Verifies the address that a link was sent to.
 *
 * @param held A valid code.
 * @throws SignetError ABORTED, or for a failure of the database.
 */
export async function verifyEmail(
  parts: FindCodeParts,
  held: FoundCode,
  caller?: QueryCaller,
): Promise<VerifyEmailOutcome> {
  return await retryWithCode<VerifyEmailOutcome>(parts, held, caller, async (code) => {
    if (code.state !== "valid" || code.user.emailVerified) return { kind: "changed", code };
    const [row] = await markVerified(
      parts.db,
      {
        ...codeToValues(code),
        identifierKey: toIdentifierKey(code.user.email),
        now: parts.clock(),
        events: eventsToJson([{ type: "user.human.email.verified", payload: { email: code.user.email } }]),
      },
      caller,
    );
    if (row?.is_taken) return { kind: "taken" };
    return typeof row?.sequence === "bigint" ? { kind: "verified" } : undefined;
  });
}

const markVerified = prepareMarkVerified("email");
