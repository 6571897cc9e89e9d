import type { Config } from "../../config.ts";
import type { PageResponse, PageRoute, Visit } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import { readIdpCookie } from "./idp-cookie.ts";
import { endedPage } from "./sign-in-page.ts";
import { stepPath } from "./steps.ts";

interface CallbackParts {
  readonly config: Pick<Config, "publicUrl">;
}

/** The parameters of a provider's response that Signet uses (RFC 6749, section 4.1.2; RFC 9207). */
export const RESPONSE_PARAMETERS = ["state", "code", "iss", "error"] as const;

/** The redirect URI to register with a provider. Each provider has a separate one. */
export function callbackUrl({ publicUrl }: Pick<Config, "publicUrl">, idpId: string): string {
  return `${publicUrl}/ui/idps/${idpId}/callback`;
}

/**
 * `/ui/idps/<id>/callback`: redirects a provider's response to the sign-in that the browser started. Returns the route
 * of a path; undefined if there is none.
 */
export function findCallbackRoute(path: string): PageRoute<CallbackParts> | undefined {
  const [, idpId] = /^\/ui\/idps\/([0-9a-f-]{36})\/callback$/.exec(path) ?? [];
  return idpId === undefined ? undefined : { get: (parts, visit) => forward(parts, visit, idpId) };
}

function forward({ config }: CallbackParts, visit: Visit, idpId: string): PageResponse {
  const { query } = visit.request;
  const cookie = readIdpCookie(config, visit, query.get("state") ?? "");
  if (cookie === undefined) return endedPage(visit, undefined);
  const forwarded = new URLSearchParams({ idp: idpId });
  for (const name of RESPONSE_PARAMETERS) for (const value of query.getAll(name)) forwarded.append(name, value);
  const path = stepPath({ id: cookie.signInId, app: { id: cookie.appId } }, "idp");
  return redirect(`${path}&${forwarded}`);
}
