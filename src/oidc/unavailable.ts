import { type Adapter, errors } from "oidc-provider";
import { SignetError } from "../errors.ts";

/** Runs a query for the provider. A busy or unreachable database becomes `temporarily_unavailable` (RFC 6749). */
export async function orUnavailable<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    if (!(cause instanceof SignetError) || (cause.code !== "unavailable" && cause.code !== "aborted")) throw cause;
    const error = new errors.TemporarilyUnavailable("the service is busy; try again", { cause } as never);
    throw Object.assign(error, { status: 503, statusCode: 503 });
  }
}

/** The same for each method of an adapter. */
export function adapterOrUnavailable(adapter: Adapter): Adapter {
  return {
    upsert: (...args) => orUnavailable(async () => adapter.upsert(...args)),
    find: (...args) => orUnavailable(async () => adapter.find(...args)),
    findByUid: (...args) => orUnavailable(async () => adapter.findByUid(...args)),
    findByUserCode: (...args) => orUnavailable(async () => adapter.findByUserCode(...args)),
    consume: (...args) => orUnavailable(async () => adapter.consume(...args)),
    destroy: (...args) => orUnavailable(async () => adapter.destroy(...args)),
    revokeByGrantId: (...args) => orUnavailable(async () => adapter.revokeByGrantId(...args)),
  };
}
