import { findSignInUser, type SignInUser } from "../../sign-in/find-sign-in-user.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";

/** The user who must authenticate again, if the application requires a specific one. */
export async function findExpectedUser(
  parts: SignInParts,
  { signIn, caller }: SignInVisit,
): Promise<SignInUser | undefined> {
  const { expectedUserId, org } = signIn;
  const user = expectedUserId === undefined ? undefined : await findSignInUser(parts, expectedUserId, caller);
  return user?.orgId === org.id ? user : undefined;
}
