import type { IncomingHttpHeaders } from "node:http";
import type { ServerSpan, Tracer } from "./span.ts";

/** A request for a page. All of its properties come from an unauthenticated client. */
interface HttpRequest {
  readonly id: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Starts the span of a request that does not require a token, with the attributes of OpenTelemetry's conventions for
 * HTTP. The span has neither address nor URL, because these may be personal or secret.
 */
export function startHttpSpan(tracer: Tracer, { id, method, headers }: HttpRequest): ServerSpan {
  const known = METHODS.has(method);
  return tracer.startServer(known ? method : "HTTP", {
    headers,
    trusts: "of-nobody",
    attributes: { "http.request.method": known ? method : "_OTHER", "signet.request_id": id },
  });
}

/**
 * @param end `route`: the path with placeholders for ids; undefined for an unknown path. `status`: undefined if the
 *   client disconnected before the response.
 */
export function endHttpSpan(
  span: ServerSpan,
  { method, route, status }: { method: string; route: string | undefined; status: number | undefined },
): void {
  if (!span.isRecorded) return;
  if (route !== undefined && METHODS.has(method)) span.rename(`${method} ${route}`);
  span.set({ "http.route": route, "http.response.status_code": status });
  // The conventions treat 4xx as a client error.
  span.end(status !== undefined && status >= 500 ? String(status) : undefined);
}
