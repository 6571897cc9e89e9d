import type { Clock } from "../../../src/clock.ts";

/** A response to a browser. */
export interface BrowserResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The URL that a redirect leads to. */
  readonly location: string;
}

/**
 * An HTTP client that keeps cookies by name and path until their `Max-Age` has passed, and does not follow redirects.
 */
export interface Browser {
  /** @param url A URL below the public URL. The request goes to the port on which the service listens. */
  open(url: string, init?: RequestInit): Promise<BrowserResponse>;
  /** Posts a form with the headers that a browser sends from the service's own pages. */
  post(url: string, fields: Record<string, string>): Promise<BrowserResponse>;
  /** The header `cookie` of a request. */
  cookies(path: string): string;
  /** Every cookie, as name and value. */
  jar(): [string, string][];
  forget(name: string): void;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  /** In milliseconds since 1970. */
  readonly endsAt: number;
}

/**
 * @param origin The address on which the service listens.
 * @param clock The clock that ends cookies with `Max-Age`. `Expires` counts only for a cookie that is deleted, because
 *   libraries set it by the clock of the process.
 */
export function createBrowser(origin: string, publicUrl: string, clock: Clock = () => new Date()): Browser {
  const cookies = new Map<string, Cookie>();

  function current(): Cookie[] {
    const now = clock().getTime();
    for (const [key, { endsAt }] of cookies) if (endsAt <= now) cookies.delete(key);
    return [...cookies.values()];
  }

  function cookieHeader(path: string): string {
    const matching = current().filter((cookie) => path.startsWith(cookie.path));
    return matching.map(({ name, value }) => `${name}=${value}`).join("; ");
  }

  function keep(header: string, path: string): void {
    const [pair = "", ...attributes] = header.split(/; */);
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    const own = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? path;
    const key = `${name} ${own}`;
    const [, seconds = Infinity] = /; *max-age=(-?\d+)/i.exec(header) ?? [];
    if (/expires=thu, 01 jan 1970/i.test(header)) cookies.delete(key);
    else cookies.set(key, { name, value, path: own, endsAt: clock().getTime() + Number(seconds) * 1_000 });
  }

  async function open(url: string, init: RequestInit = {}): Promise<BrowserResponse> {
    const { pathname, search } = new URL(url, publicUrl);
    const headers = {
      accept: "text/html",
      ...(init.headers as Record<string, string>),
      cookie: cookieHeader(pathname),
    };
    const response = await fetch(origin + pathname + search, { ...init, headers, redirect: "manual" });
    for (const header of response.headers.getSetCookie()) keep(header, pathname);
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: response.headers.get("location") ?? "",
    };
  }

  return {
    open,
    post: (url, fields) =>
      open(url, { method: "POST", headers: { origin: publicUrl }, body: new URLSearchParams(fields) }),
    cookies: cookieHeader,
    jar: () => current().map(({ name, value }) => [name, value]),
    forget(name) {
      for (const [key, cookie] of cookies) if (cookie.name === name) cookies.delete(key);
    },
  };
}
