import type { Config } from "../../config.ts";
import { hostCookie, hostCookieName, readCookie } from "./cookies.ts";
import type { Visit } from "./page.ts";

const NAME = "signet-step";
/** Longer than it takes to read the page that completes a step. */
const VALID_SECONDS = 15 * 60;

interface StepParts {
  readonly config: Pick<Config, "publicUrl">;
}

/** The header `set-cookie` for a browser that has completed a link, a registration or a sign-in of an organization. */
export function stepCookieHeader({ config: { publicUrl } }: StepParts, orgId: string): string {
  return hostCookie(NAME, orgId, { publicUrl, maxAgeSeconds: VALID_SECONDS });
}

/** Whether the last step that the browser has completed, a few minutes ago at most, was in the organization. */
export function hasCompletedStep({ config: { publicUrl } }: StepParts, { request }: Visit, orgId: string): boolean {
  return readCookie(request.headers.cookie, hostCookieName(NAME, publicUrl)) === orgId;
}
