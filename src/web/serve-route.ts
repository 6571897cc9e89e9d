import type { IncomingHttpHeaders } from "node:http";
import type { Config } from "../config.ts";
import { findFormError } from "../http/find-parameter-error.ts";
import type { PageResponse, PageRoute, Visit } from "./frame/page.ts";
import { problemPage } from "./frame/problem-page.ts";
import { toProblemPage } from "./frame/to-problem-page.ts";
import { untilAborted } from "./frame/until-aborted.ts";

interface ServeParts {
  readonly config: Pick<Config, "publicUrl">;
}

/**
 * Serves a visit with the handler for its method and content type. Anything else, and any error, becomes a page that
 * describes the problem.
 *
 * @param route Undefined if there is no page at the path.
 */
export async function serveRoute<Parts extends ServeParts>(
  route: PageRoute<Parts> | undefined,
  parts: Parts,
  visit: Visit,
): Promise<PageResponse> {
  try {
    if (visit.request.refusal !== undefined) throw visit.request.refusal;
    if (route === undefined) return problemPage("not-found", visit);
    return await serve(route, parts, visit);
  } catch (error) {
    return toProblemPage(error, visit);
  }
}

async function serve<Parts extends ServeParts>(
  route: PageRoute<Parts>,
  parts: Parts,
  visit: Visit,
): Promise<PageResponse> {
  const { request } = visit;
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (isRead && route.get !== undefined) return untilAborted(request.signal, route.get(parts, visit));
  const { postForm, postLargeForm, postJson } = route;
  if (request.method !== "POST" || !(postForm || postLargeForm || postJson)) {
    return problemPage("wrong-method", visit, { headers: { allow: allowedMethods(route) } });
  }
  if (!route.acceptsOtherSites && isCrossSite(request.headers, parts.config.publicUrl))
    return problemPage("foreign", visit);
  const contentType = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (postLargeForm !== undefined && contentType === FORM) {
    return untilAborted(request.signal, postLargeForm(parts, visit));
  }
  if (postForm !== undefined && contentType === FORM) {
    const body = await request.readBody();
    const problem = findFormError(body);
    if (problem !== undefined) throw problem;
    return untilAborted(request.signal, postForm(parts, visit, new URLSearchParams(body.toString("utf8"))));
  }
  if (postJson !== undefined && contentType === "application/json") {
    const json = parseJson(await request.readBody());
    if (json === undefined) return problemPage("unreadable", visit);
    return untilAborted(request.signal, postJson(parts, visit, json));
  }
  return problemPage("wrong-type", visit);
}

const FORM = "application/x-www-form-urlencoded";

function allowedMethods({ get, postForm, postLargeForm, postJson }: PageRoute<never>): string {
  const isPosted = postForm || postLargeForm || postJson;
  return [...(get ? ["GET", "HEAD"] : []), ...(isPosted ? ["POST"] : [])].join(", ");
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

/**
 * Whether a POST comes from a page of another site. This is a second line of defense: each form contains a token or the
 * code of a link, which no other site knows.
 *
 * Our own pages have the host of PUBLIC_URL, or the host of the request, because a machine may have several names. With
 * `Referrer-Policy: no-referrer`, browsers send `Origin: null` from our own forms (Fetch standard, "append a request
 * `Origin` header"). Over plain HTTP they send no `Sec-Fetch-Site`.
 */
function isCrossSite(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  const { origin } = headers;
  if (origin === undefined || origin === "null") return false;
  const host = URL.parse(origin)?.host;
  return host === undefined || ![new URL(publicUrl).host, headers[":authority"] ?? headers.host].includes(host);
}
