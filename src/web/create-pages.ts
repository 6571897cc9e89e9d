import Negotiator from "negotiator";
import { SignetError } from "../errors.ts";
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from "../messages/languages.ts";
import { createSerializePerKey } from "../users/serialize-per-key.ts";
import { createAddressLimit } from "./frame/address-limit.ts";
import { isForeign } from "./frame/is-foreign.ts";
import type { PageRequest, PageResponse, PageRoute, ServePage, Visit } from "./frame/page.ts";
import { problemPage } from "./frame/problem-page.ts";
import { STYLESHEET } from "./frame/stylesheet.ts";
import { createInitRoutes } from "./links/init.ts";
import { createOpenLink } from "./links/open-link.ts";
import { createPasskeyRoutes } from "./links/passkey.ts";
import { createPhoneRoutes } from "./links/phone.ts";
import type { PagesContext } from "./links/routes-context.ts";

/** The pages on which people finish what an operation began. */
export function createPages(context: PagesContext): ServePage {
  const { config } = context;
  const limit = createAddressLimit(context.db);
  const shared = {
    ...context,
    limit,
    openLink: createOpenLink({ ...context, limit }),
    serializeHashing: createSerializePerKey(),
  };
  const routes: ReadonlyMap<string, PageRoute> = new Map(
    Object.entries<PageRoute>({
      ...STYLESHEET.routes,
      ...createInitRoutes(shared),
      ...createPhoneRoutes(shared),
      ...createPasskeyRoutes(shared),
    }),
  );

  return async (request) => {
    const visit = { request, language: askedLanguage(request) };
    try {
      const route = routes.get(request.path);
      if (route === undefined) return { ...problemPage("not-found", visit), isNowhere: true };
      return await serve(route, visit);
    } catch (error) {
      return toProblemPage(error, visit);
    }
  };

  async function serve(route: PageRoute, visit: Visit): Promise<PageResponse> {
    const { request } = visit;
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead && route.get !== undefined) return route.get(visit);
    const { postForm, postJson } = route;
    if (request.method !== "POST" || (postForm === undefined && postJson === undefined)) {
      return problemPage("wrong-method", visit, { headers: { allow: allowedMethods(route) } });
    }
    if (isForeign(request.headers, config.publicUrl)) return problemPage("foreign", visit);
    const contentType = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
    if (postForm !== undefined && contentType === "application/x-www-form-urlencoded") {
      return postForm(visit, new URLSearchParams((await request.readBody()).toString("utf8")));
    }
    if (postJson !== undefined && contentType === "application/json") {
      const json = parseJson(await request.readBody());
      return json === undefined ? problemPage("unreadable", visit) : postJson(visit, json);
    }
    return problemPage("wrong-type", visit);
  }
}

function askedLanguage({ headers }: PageRequest): Language {
  const [language] = new Negotiator({ headers }).languages([...LANGUAGES]);
  return LANGUAGES.find((one) => one === language) ?? DEFAULT_LANGUAGE;
}

function allowedMethods({ get, postForm, postJson }: PageRoute): string {
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
    if (error.reason === "UNAVAILABLE" || error.reason === "ABORTED") {
      return { ...problemPage("unavailable", visit, { retrySeconds: 10 }), cause: error };
    }
  }
  return { ...problemPage("failed", visit), cause: error };
}
