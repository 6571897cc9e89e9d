import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import type { createGates } from "./gates.ts";
import type { PendingLinks } from "./pending-links.ts";
import type { SignInRequest } from "./sign-in-requests.ts";

/** The functions that the steps of a sign-in share. */
export interface StepOptions {
  readonly gates: ReturnType<typeof createGates>;
  readonly pendingLinks: PendingLinks;
  /** Shows the first page again, with a problem. */
  readonly askAgain: (visit: Visit, request: SignInRequest, text?: string) => PageResponse;
  /** Finds the user who must authenticate again, if the application requires a specific one. */
  readonly findExpected: (visit: Visit, request: SignInRequest) => Promise<SignInUser | undefined>;
}
