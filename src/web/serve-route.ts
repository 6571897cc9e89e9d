import type { Config } from "../config.ts";
import { SignetError } from "../errors.ts";
import { isCrossSite } from "./frame/is-cross-site.ts";
import type { PageResponse, PageRoute, Visit } from "./frame/page.ts";
import { problemPage } from "./frame/problem-page.ts";
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
  const { postForm, postJson } = route;
  if (request.method !== "POST" || (postForm === undefined && postJson === undefined)) {
    return problemPage("wrong-method", visit, { headers: { allow: allowedMethods(route) } });
  }
  if (isCrossSite(request.headers, parts.config.publicUrl)) return problemPage("foreign", visit);
  const contentType = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (postForm !== undefined && contentType === "application/x-www-form-urlencoded") {
    const form = new URLSearchParams((await request.readBody()).toString("utf8"));
    return untilAborted(request.signal, postForm(parts, visit, form));
  }
  if (postJson !== undefined && contentType === "application/json") {
    const json = parseJson(await request.readBody());
    if (json === undefined) return problemPage("unreadable", visit);
    return untilAborted(request.signal, postJson(parts, visit, json));
  }
  return problemPage("wrong-type", visit);
}

function allowedMethods({ get, postForm, postJson }: PageRoute<never>): string {
  return [...(get ? ["GET", "HEAD"] : []), ...(postForm || postJson ? ["POST"] : [])].join(", ");
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

function toProblemPage(error: unknown, visit: Visit): PageResponse {
  if (error instanceof SignetError) {
    if (error.reason === "BODY_TOO_LARGE") return problemPage("too-large", visit);
    if (error.reason === "DEADLINE_EXCEEDED") return problemPage("too-slow", visit);
    if (error.reason === "TOO_MANY_REQUESTS") {
      return problemPage("too-many", visit, { retrySeconds: Math.ceil((error.retryAfterMs ?? 1_000) / 1_000) });
    }
    if (error.reason === "UNAVAILABLE" || error.reason === "ABORTED") {
      return { ...problemPage("unavailable", visit, { retrySeconds: 10 }), cause: error };
    }
  }
  return { ...problemPage("failed", visit), cause: error };
}
