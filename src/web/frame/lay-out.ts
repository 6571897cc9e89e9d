import type { PageBranding } from "../../branding/create-brandings.ts";
import type { LaidOutPage, PageResponse } from "./page.ts";

/** A page in a branding. Other responses do not change. */
export function layOut({ orgId: _, body, ...response }: PageResponse, branding: PageBranding): LaidOutPage {
  return { ...response, body: typeof body === "function" ? body(branding) : body };
}

/** A page in the branding of an organization, whose users see it. */
export function inOrg(orgId: string, response: PageResponse): PageResponse {
  return { ...response, orgId };
}
