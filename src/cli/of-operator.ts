import type { Operator } from "../actor.ts";
import type { Call } from "../call.ts";

/**
 * The call of an operation on the command line, which nobody cancels. Its events have no editor, because
 * somebody with access to the database and the key need not be a user of Signet.
 */
export function ofOperator(orgId: string): Call<Operator> {
  return { kind: "operator", userId: null, orgId, signal: AbortSignal.any([]), throwIfOver() {} };
}
