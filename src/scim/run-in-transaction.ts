import { toSignetError } from "../database/failure.ts";
import { createRunTogether, type RunTogether } from "../database/run-together.ts";
import { runTransaction } from "../database/run-transaction.ts";
import { SignetError } from "../errors.ts";
import { ScimError } from "./protocol/scim-error.ts";
import type { ScimCall } from "./scim-call.ts";
import type { UserParts } from "./user-parts.ts";

/**
 * Runs operations that otherwise have transactions of their own in one. What they announce is announced after the commit.
 *
 * @throws ScimError, or SignetError; both roll everything back.
 */
export async function runInTransaction<Result>(
  parts: UserParts,
  call: ScimCall,
  run: (own: UserParts) => Promise<Result>,
): Promise<Result> {
  const announced: (() => unknown)[] = [];
  // The transaction would turn an error of the protocol into an internal one.
  let refusal: ScimError | undefined;
  try {
    const result = await runTransaction(parts.db, call, async (db) => {
      announced.length = 0;
      const own = { ...parts, db, runTogether: untilFailure(createRunTogether(db)), ...deferred(parts, announced) };
      return await run(own).catch((error: unknown) => {
        if (error instanceof ScimError) refusal = error;
        throw error;
      });
    });
    for (const announce of announced) await announce();
    return result;
  } catch (error) {
    throw refusal ?? error;
  }
}

/** Runs operations as `runInTransaction`, and takes back what they have done. Nothing is announced. */
export async function tryOut<Result>(
  parts: UserParts,
  call: ScimCall,
  run: (own: UserParts) => Promise<Result>,
): Promise<Result> {
  let tried: { readonly result: Result } | undefined;
  try {
    await runInTransaction(parts, call, async (own) => {
      tried = { result: await run(own) };
      throw new SignetError("ABORTED", "the connection is in a trial");
    });
  } catch (error) {
    if (tried === undefined) throw error instanceof ScimError ? error : toSignetError(error);
  }
  if (tried === undefined) throw new Error("the trial has no result");
  return tried.result;
}

/** A statement that has failed ends the transaction, in which an operation could not look for the cause any more. */
function untilFailure(runTogether: RunTogether): RunTogether {
  let failure: { readonly error: unknown } | undefined;
  return async (...args) => {
    if (failure !== undefined) throw failure.error;
    try {
      return await runTogether(...args);
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
}

function deferred({ outbox, announceEnds, eraseFiles }: UserParts, announced: (() => unknown)[]) {
  return {
    outbox: {
      ...outbox,
      announce: (...args: Parameters<typeof outbox.announce>) => void announced.push(() => outbox.announce(...args)),
    },
    announceEnds: (...args: Parameters<NonNullable<typeof announceEnds>>) =>
      void announced.push(() => announceEnds?.(...args)),
    eraseFiles: async (...args: Parameters<typeof eraseFiles>) => void announced.push(() => eraseFiles(...args)),
  };
}
