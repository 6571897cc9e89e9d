import type { IncomingHttpHeaders } from "node:http";
import type { Language } from "../../messages/languages.ts";

/** A request for something under `/ui/`, of either version of HTTP. */
export interface PageRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** IP address of the client, as far as the trusted proxies tell it. */
  readonly address: string;
  /** The id under which the log knows the request. */
  readonly requestId: string;
  /** @throws SignetError BODY_TOO_LARGE, DEADLINE_EXCEEDED. */
  readBody(): Promise<Buffer>;
}

export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Why the answer is an error of the service, for the log alone. */
  readonly cause?: unknown;
  /** There is nothing at this path, which may be a link that was taken apart wrongly, with its code. */
  readonly isNowhere?: true;
}

/** Answers a request for a page. It never rejects. */
export type ServePage = (request: PageRequest) => Promise<PageResponse>;

/** A request that has passed the checks that are the same for all pages. */
export interface Visit {
  readonly request: PageRequest;
  /** What the browser asks for. Where a valid code tells the user, `languageOf` knows better. */
  readonly language: Language;
}

/**
 * What is at one path. `get` changes nothing, because mail scanners and previews open links too; HEAD is answered by it
 * as well. A POST is taken from our own pages alone, and with one content type: that of forms, or JSON.
 *
 * They may throw: SignetError UNAVAILABLE becomes a page that says so, and what is not foreseen one with the request id.
 */
export interface PageRoute {
  readonly get?: (visit: Visit) => PageResponse | Promise<PageResponse>;
  readonly postForm?: (visit: Visit, form: URLSearchParams) => Promise<PageResponse>;
  readonly postJson?: (visit: Visit, json: unknown) => Promise<PageResponse>;
}

/** Routes by path, such as `/ui/init`. */
export type PageRoutes = Readonly<Record<string, PageRoute>>;
