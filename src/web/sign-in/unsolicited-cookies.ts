import type { Clock } from "../../clock.ts";
import type { Config } from "../../config.ts";
import type { Keyring } from "../../crypto/keyring.ts";
import { createSealedValues } from "../../crypto/sealed-values.ts";
import { ATTEMPT_SECONDS } from "../../sign-in/idp-attempts.ts";
import type { UnsolicitedHandle } from "../../sign-in/unsolicited-responses.ts";
import { hostCookie, hostCookieName, readCookie } from "../frame/cookies.ts";
import type { Visit } from "../frame/page.ts";

interface CookieParts {
  readonly config: Pick<Config, "publicUrl">;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/** A cookie with a response that answers no request. It is `SameSite=Lax`, so it comes with redirects from other sites. */
interface UnsolicitedCookie {
  /** The header `set-cookie`. */
  header(parts: CookieParts, subject: string, handle: UnsolicitedHandle): string;
  read(parts: CookieParts, visit: Visit, subject: string): UnsolicitedHandle | undefined;
  /** The header `set-cookie` that deletes it. */
  forget(parts: Pick<CookieParts, "config">): string;
}

/** Of the browser that has brought the response, until the person decides. The subject is the provider. */
export const OFFER: UnsolicitedCookie = createCookie("signet-saml-offer", ATTEMPT_SECONDS);

/**
 * After the person has decided to continue, for longer than the redirects to the sign-in take. The subject is the
 * organization.
 */
export const ACCEPTED: UnsolicitedCookie = createCookie("signet-saml-accepted", 120);

function createCookie(name: string, validSeconds: number): UnsolicitedCookie {
  const sealed = createSealedValues<UnsolicitedHandle>({ table: "sign-in", column: name, validSeconds });
  return {
    header(parts, subject, handle) {
      const { publicUrl } = parts.config;
      return hostCookie(name, sealed.seal(parts, subject, handle), { publicUrl, maxAgeSeconds: validSeconds });
    },
    read(parts, { request }, subject) {
      const text = readCookie(request.headers.cookie, hostCookieName(name, parts.config.publicUrl));
      return text === undefined ? undefined : sealed.open(parts, subject, text);
    },
    forget: ({ config: { publicUrl } }) => hostCookie(name, "", { publicUrl, maxAgeSeconds: 0 }),
  };
}
