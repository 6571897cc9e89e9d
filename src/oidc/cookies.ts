import type { Configuration } from "oidc-provider";
import type { CookieSigner } from "./cookie-signer.ts";

/** The cookies of the provider. Over `http`, for development, they have plain names. */
export function cookiesOf(issuer: string, signer: CookieSigner): NonNullable<Configuration["cookies"]> {
  const isSecure = issuer.startsWith("https:");
  return {
    // oidc-provider's type allows only lists, but the package `cookies` accepts any signer.
    keys: signer as never,
    // `__Host-` requires the path `/`, which the cookies of an interaction cannot have, because several can be in
    // progress.
    names: {
      session: isSecure ? "__Host-signet-session" : "signet-session",
      interaction: isSecure ? "__Secure-signet-interaction" : "signet-interaction",
      resume: isSecure ? "__Secure-signet-resume" : "signet-resume",
    },
    long: { ...cookieOptions(issuer), path: "/" },
    short: cookieOptions(issuer),
  };
}

/** The attributes of every cookie. */
export function cookieOptions(issuer: string) {
  return { httpOnly: true, sameSite: "lax", signed: true, secure: issuer.startsWith("https:") } as const;
}
