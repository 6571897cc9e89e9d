import type { Config } from "../../config.ts";
import { createSealedValues, type SealedValues } from "../../crypto/sealed-values.ts";
import { hostCookie, hostCookieName, readCookie } from "./cookies.ts";
import type { Visit } from "./page.ts";

/** A user who has just set the first password with the link of an initialization email. */
interface LinkProof {
  readonly userId: string;
  /** The user's sequence after that. A sign-in increments it, so that a proof counts once. */
  readonly sequence: string;
}

const NAME = "signet-link-proof";
/** Longer than the redirects to the sign-in take. */
const VALID_SECONDS = 120;
const SEALED_PROOFS = createSealedValues<LinkProof>({ table: "sign-in", column: "link", validSeconds: VALID_SECONDS });

type ProofParts = Parameters<SealedValues<LinkProof>["seal"]>[0] & { readonly config: Pick<Config, "publicUrl"> };

/** The header `set-cookie` with the proof, which is valid in one organization. */
export function linkProofHeader(parts: ProofParts, orgId: string, proof: LinkProof): string {
  return cookieHeader(parts, SEALED_PROOFS.seal(parts, orgId, proof), VALID_SECONDS);
}

/** Reads the proof for an organization. Undefined if there is none, or it has expired. */
export function readLinkProof(parts: ProofParts, { request }: Visit, orgId: string): LinkProof | undefined {
  const text = readCookie(request.headers.cookie, hostCookieName(NAME, parts.config.publicUrl));
  return text === undefined ? undefined : SEALED_PROOFS.open(parts, orgId, text);
}

/** The header `set-cookie` that deletes the proof. */
export function forgetLinkProof(parts: Pick<ProofParts, "config">): string {
  return cookieHeader(parts, "", 0);
}

function cookieHeader({ config: { publicUrl } }: Pick<ProofParts, "config">, value: string, maxAgeSeconds: number) {
  return hostCookie(NAME, value, { publicUrl, maxAgeSeconds });
}
