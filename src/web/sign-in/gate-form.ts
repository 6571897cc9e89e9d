import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { type Proved, sealProof } from "../../sign-in/proof.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";

/** The hidden fields of a form for a user who has authenticated. */
export interface GateForm {
  readonly token: string;
  /** See `sealProof`. */
  readonly proof: string;
}

export function toGateForm(parts: SignInParts, { signIn }: SignInVisit, user: SignInUser, proved: Proved): GateForm {
  return { token: parts.formTokens.create(signIn.id), proof: sealProof(parts, signIn.id, user, proved) };
}
