import Negotiator from "negotiator";
import { BUILT_IN_BRANDING } from "../branding/create-brandings.ts";
import type { SignetError } from "../errors.ts";
import { errorHeaders } from "../http/error-object.ts";
import type { Exchange } from "../http/exchange.ts";
import { builtInLanguage } from "../texts/page-language.ts";
import { acceptedLanguage } from "../web/frame/accepted-language.ts";
import { layOut } from "../web/frame/responses.ts";
import { toProblemPage } from "../web/frame/to-problem-page.ts";
import { toRawHeaders } from "../web/serve-page.ts";
import type { Route } from "./routes.ts";

/**
 * Responds to a request that the provider does not see: to a browser with a page, to all other clients with the JSON of
 * RFC 6749, section 5.2.
 *
 * @param route For METHOD_NOT_ALLOWED.
 * @returns The status.
 */
export function sendRefusal(exchange: Exchange, error: SignetError, route?: Route): number {
  const { id: requestId, method, headers: requestHeaders } = exchange;
  const language = builtInLanguage(acceptedLanguage(requestHeaders));
  const visit = { language, request: { method, headers: requestHeaders, requestId } };
  const problem = toProblemPage(error, visit);
  const { status } = problem;
  const allow = error.reason === "METHOD_NOT_ALLOWED" && route ? ["allow", route.methods.join(", ")] : [];
  const own = ["x-request-id", requestId, ...allow];
  if (new Negotiator(exchange).mediaType(["application/json", "text/html"]) === "text/html") {
    // Laid out for browsers only: other clients get thousands of refusals.
    const page = layOut(problem, BUILT_IN_BRANDING);
    exchange.send(status, [...own, ...toRawHeaders(page.headers)], Buffer.from(page.body));
    return status;
  }
  const code = status === 429 || status === 503 ? "temporarily_unavailable" : "invalid_request";
  const body = Buffer.from(JSON.stringify({ error: code, error_description: error.message }));
  const content = ["content-type", "application/json", "cache-control", "no-store", ...errorHeaders(error)];
  exchange.send(status, [...own, ...content], body);
  return status;
}
