import { errors, type KoaContextWithOIDC } from "oidc-provider";
import type { Clock } from "../clock.ts";

/** Used assertions are stored until they expire. The five minutes are for clocks that differ. */
const MAX_LIFETIME_SECONDS = 3_600 + 300;

/** Rejects an assertion (RFC 7523) that expires too late, before it is stored as used. */
export function checkAssertionLifetime({ clock }: { readonly clock: Clock }) {
  return async (_ctx: KoaContextWithOIDC, { exp }: Record<string, unknown>): Promise<void> => {
    if (Number(exp) - clock().getTime() / 1_000 <= MAX_LIFETIME_SECONDS) return;
    const error_description = "the client assertion must expire within one hour";
    throw Object.assign(new errors.InvalidClientAuth("exp is too late"), { error_description });
  };
}
