import { z } from "zod";

const base64url = z.string().regex(/^[\w-]*$/);

/** What a browser returns for a new passkey: a `RegistrationResponseJSON` (WebAuthn). */
export const PASSKEY_RESPONSE = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    // Unknown transports must be stored too (WebAuthn, section 5.2.1).
    transports: z
      .array(z.string().regex(/^[a-z0-9-]{1,32}$/))
      .max(16)
      .default([]),
  }),
});
