import { startRequestSpan } from "../../telemetry/request-span.ts";
import type { Span } from "../../telemetry/span.ts";
import { urlCredentials } from "./url-credentials.ts";

/** The response of an HTTP server, with empty text if its body could not be read, or the reason why there was none. */
type HttpResult =
  | { readonly status: number; readonly text: string }
  | { readonly status: undefined; readonly error: string };

/** Error responses are short. The rest of a longer body is discarded. */
const MAX_BODY_BYTES = 65_536;

/**
 * Sends a POST request. Does not follow redirects, which could send the message to another server. Credentials in the
 * URL become an `Authorization` header.
 *
 * @param options `limitMs` is the timeout of the whole exchange, including the response body.
 */
export async function postOnce(
  url: string,
  {
    headers,
    body,
    limitMs,
    span: parent,
  }: { headers: Readonly<Record<string, string>>; body: string; limitMs: number; span: Span | undefined },
): Promise<HttpResult> {
  const target = new URL(url);
  const credentials = urlCredentials(target);
  target.username = "";
  target.password = "";
  const span = startRequestSpan(parent, "POST", target);
  try {
    const response = await fetch(target, {
      method: "POST",
      headers: { ...(credentials && { authorization: basicAuth(credentials) }), ...headers, ...span?.headers },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(limitMs),
    });
    // The status is enough: an accepted message must not be sent again because its response body is broken.
    const text = await readStart(response).catch(() => "");
    span?.end(response);
    return { status: response.status, text };
  } catch (error) {
    span?.end({ error });
    return { status: undefined, error: describe(error, limitMs) };
  }
}

/** Returns the value of an `Authorization` header (RFC 7617). */
export function basicAuth({ user, password }: { user: string; password: string }): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

async function readStart(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_BODY_BYTES) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Omits the messages of `fetch`, which may contain the URL. */
function describe(error: unknown, limitMs: number): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  return name === "TimeoutError" ? `no response within ${limitMs / 1_000} s` : `no response (${cause?.code ?? name})`;
}
