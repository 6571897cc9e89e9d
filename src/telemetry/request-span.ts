import type { Span } from "./span.ts";

/** The span of a request to another server, and the headers that continue the trace there. */
interface RequestSpan {
  readonly headers: Readonly<Record<string, string>>;
  /** @param outcome The status of the response, or the error. */
  end(outcome: { readonly status: number } | { readonly error: unknown }): void;
}

/**
 * Starts the span of an HTTP request, with the attributes of OpenTelemetry's conventions for clients, but without
 * `url.full`, because it may contain a secret.
 */
export function startRequestSpan(parent: Span | undefined, method: string, target: URL): RequestSpan | undefined {
  if (parent === undefined) return undefined;
  const { hostname, port, protocol } = target;
  const span = parent.child(method, {
    kind: "client",
    attributes: {
      "http.request.method": method,
      "server.address": hostname,
      "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
    },
  });
  return {
    headers: (span ?? parent).toHeaders(),
    end(outcome) {
      if ("error" in outcome) return span?.end(outcome.error);
      span?.set({ "http.response.status_code": outcome.status });
      span?.end(outcome.status >= 400 ? String(outcome.status) : undefined);
    },
  };
}
