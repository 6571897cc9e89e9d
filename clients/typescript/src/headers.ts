import type { Interceptor } from "@connectrpc/connect";
import { isReading } from "./is-reading.ts";
import type { SignetOptions } from "./options.ts";

/**
 * Adds the token, the organization and, for calls that change data, an `idempotency-key`. All attempts of a call use
 * the same key, so the service makes the change once. The caller's headers take precedence.
 */
export function createHeaders({ token, orgId }: Pick<SignetOptions, "token" | "orgId">): Interceptor {
  return (next) => async (request) => {
    const { header, method } = request;
    if (token !== undefined && !header.has("authorization")) {
      header.set("authorization", `Bearer ${typeof token === "string" ? token : await token()}`);
    }
    if (orgId !== undefined && !header.has("x-service-orgid")) header.set("x-service-orgid", orgId);
    if (!isReading(method) && !header.has("idempotency-key")) header.set("idempotency-key", createKey());
    return next(request);
  };
}

/** 128 random bits. `crypto.randomUUID` is missing in pages without TLS. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
