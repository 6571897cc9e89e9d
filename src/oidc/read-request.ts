import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { decodeJwt } from "jose/jwt/decode";
import { invalidArgument, SignetError } from "../errors.ts";
import type { Exchange } from "../http/exchange.ts";
import { findFormError, findParameterError } from "../http/find-parameter-error.ts";
import { readForm } from "../http/watch-exchange.ts";
import { describeClaimsProblem } from "./claims-problem.ts";
import { ROUTES, type Route } from "./routes.ts";

/** The provider would not read more, and respond with status 400. */
const MAX_FORM_BYTES = 56 * 1_024;

/**
 * Checks a request, and reads the body of a POST. The provider itself rejects forms of other content types.
 *
 * @returns The body, which is empty for other methods; or the error of a request that the provider must not see.
 */
export async function readRequest(
  exchange: Exchange,
  route: Route | undefined,
  signal: AbortSignal,
): Promise<Buffer | SignetError> {
  const { method, query, headers } = exchange;
  if (route === undefined) return new SignetError("PATH_NOT_FOUND", "nothing is at this path");
  if (!route.methods.includes(method)) {
    return new SignetError("METHOD_NOT_ALLOWED", `this path allows ${route.methods.join(", ")}`);
  }
  const problem = findParameterError(query) ?? findRequestObjectError(query);
  if (problem !== undefined) return problem;
  if (method !== "POST") return NO_BYTES;
  if (isRedirected(exchange) && !isForm(headers)) {
    return new SignetError("CONTENT_TYPE_UNSUPPORTED", "expected application/x-www-form-urlencoded");
  }
  const body = await readForm(exchange, isStored(exchange) ? MAX_REDIRECTED_BYTES : MAX_FORM_BYTES, signal);
  if (body instanceof SignetError || !isForm(headers)) return body;
  return findFormError(body) ?? findRequestObjectError(body.toString()) ?? body;
}

/**
 * Returns an error for a query or form with a request object that oidc-provider could not process: it converts the claims
 * before it verifies their signature.
 */
function findRequestObjectError(text: string): SignetError | undefined {
  if (!text.includes("request=")) return undefined;
  const object = new URLSearchParams(text).get("request") ?? "";
  try {
    const description = describeClaimsProblem(decodeJwt(object));
    return description === undefined ? undefined : invalidArgument({ field: "request", description });
  } catch {
    // The provider rejects it.
    return undefined;
  }
}

/** Whether the parameters are stored for the browser of a user. A pushed request may be as long as one in a URL. */
function isStored(exchange: Exchange): boolean {
  return isRedirected(exchange) || exchange.path === ROUTES.pushed_authorization_request;
}

/** Whether the body is a form. */
export function isForm(headers: IncomingMessage["headers"]): boolean {
  return headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() === "application/x-www-form-urlencoded";
}

const NO_BYTES: Buffer = Buffer.alloc(0);

/** Node's request and response. The body of a POST was already read, so the provider gets it from memory. */
export function toNode(exchange: Exchange, body: Buffer): ReturnType<Exchange["toNode"]> {
  const { request: received, response } = exchange.toNode();
  if (exchange.method !== "POST") return { request: received, response };
  const { method, url, headers, httpVersion, httpVersionMajor, httpVersionMinor, socket } = received;
  const head = { method, url, headers, httpVersion, httpVersionMajor, httpVersionMinor, socket };
  return { request: Object.assign(Readable.from([body]), head) as unknown as IncomingMessage, response };
}

/** The parameters become part of a URL, whose length browsers and proxies limit. */
const MAX_REDIRECTED_BYTES = 8_192;

/**
 * Whether a request is redirected to the same request by GET, because browsers send our `SameSite=Lax` cookies from
 * another site only with GET: authorization (OpenID Connect Core 1.0, section 3.1.2.1) and sign-out (OpenID Connect
 * RP-Initiated Logout 1.0, section 2).
 */
export function isRedirected({ method, path }: Exchange): boolean {
  return method === "POST" && (path === ROUTES.authorization || path === ROUTES.end_session);
}

/** @returns The status. */
export function redirectPost(exchange: Exchange, form: Buffer): number {
  const location = `${exchange.path}?${new URLSearchParams(form.toString("utf8"))}`;
  exchange.send(303, ["x-request-id", exchange.id, "cache-control", "no-store", "location", location]);
  return 303;
}
