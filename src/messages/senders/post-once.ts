import { urlCredentials } from "./url-credentials.ts";

/** What an HTTP server answered, without a text that could not be read; or in a few words why there was no answer. */
export type HttpAnswer =
  | { readonly status: number; readonly text: string }
  | { readonly status: undefined; readonly error: string };

/** What a provider says in an error is short; a longer answer is not read to its end. */
const LONGEST_ANSWER = 65_536;

/**
 * Sends a POST and gives its answer. Redirects are not followed: they would carry the message elsewhere. A user in the URL
 * goes into the `Authorization` header.
 *
 * @param options `limitMs` is for all of it, up to the end of the answer.
 */
export async function postOnce(
  url: string,
  { headers, body, limitMs }: { headers: Readonly<Record<string, string>>; body: string; limitMs: number },
): Promise<HttpAnswer> {
  const target = new URL(url);
  const credentials = urlCredentials(target);
  target.username = "";
  target.password = "";
  try {
    const response = await fetch(target, {
      method: "POST",
      headers: { ...(credentials && { authorization: basicAuth(credentials) }), ...headers },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(limitMs),
    });
    // The status says enough: what was taken must not be sent again because the rest of the answer is broken.
    return { status: response.status, text: await readStart(response).catch(() => "") };
  } catch (error) {
    return { status: undefined, error: describe(error, limitMs) };
  }
}

/** The header `Authorization` (RFC 7617). */
export function basicAuth({ user, password }: { user: string; password: string }): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

async function readStart(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > LONGEST_ANSWER) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Without the texts of `fetch`, which may quote the URL. */
function describe(error: unknown, limitMs: number): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  return name === "TimeoutError" ? `no answer within ${limitMs / 1_000} s` : `no answer (${cause?.code ?? name})`;
}
