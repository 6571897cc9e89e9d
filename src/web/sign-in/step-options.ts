import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import type { createGates } from "./gates.ts";
import type { PendingLinks } from "./pending-links.ts";
import type { SignInRequest } from "./sign-in-requests.ts";

/** What the steps of a sign-in need from each other. */
export interface StepOptions {
  readonly gates: ReturnType<typeof createGates>;
  readonly pendingLinks: PendingLinks;
  /** The first page again, with a problem. */
  readonly askAgain: (visit: Visit, request: SignInRequest, text?: string) => PageResponse;
  /** The user who must authenticate again, if the application requires a specific one. */
  readonly findExpected: (visit: Visit, request: SignInRequest) => Promise<SignInUser | undefined>;
}
