import { SignetError } from "../errors.ts";

/** Runs a query for the provider. A busy or unreachable database becomes `temporarily_unavailable` (RFC 6749). */
export async function orUnavailable<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    if (!(cause instanceof SignetError) || (cause.code !== "unavailable" && cause.code !== "aborted")) throw cause;
    // Loaded here, so that startup does not wait for the provider's modules.
    const { errors } = await import("oidc-provider");
    const error = new errors.TemporarilyUnavailable("the service is busy; try again", { cause } as never);
    throw Object.assign(error, { status: 503, statusCode: 503 });
  }
}
