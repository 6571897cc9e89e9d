import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "../../call.ts";
import type { SignetError } from "../../errors.ts";
import type { Language } from "../../messages/languages.ts";
import type { Span } from "../../telemetry/span.ts";

/** A request for something under `/ui/`, of either HTTP version. */
export interface PageRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** IP address of the client: that of the connection, or the one that the trusted proxies report. */
  readonly address: string;
  /** The id of the request in the log. */
  readonly requestId: string;
  /** Why the request is refused before any work: TOO_MANY_REQUESTS or UNAVAILABLE. */
  readonly refusal: SignetError | undefined;
  /** Aborted when the client goes away, or when REQUEST_TIMEOUT_MS has passed. */
  readonly signal: AbortSignal;
  readonly span?: Span | undefined;
  /** @throws SignetError BODY_TOO_LARGE; DEADLINE_EXCEEDED when `signal` is aborted before the body has arrived. */
  readBody(): Promise<Buffer>;
}

export interface PageResponse {
  readonly status: number;
  /** A header with several values, such as `set-cookie`, is sent once for each. */
  readonly headers: PageHeaders;
  readonly body: string | Uint8Array;
  /** The path with placeholders for ids, for metrics; absent for a path that no page has. */
  readonly route?: string;
  /** Why the service failed; for the log, never for the client. */
  readonly cause?: unknown;
  /** What the log shows in place of the path, which contains the id of a sign-in. */
  readonly loggedPath?: string;
  /** No page has this path. The log leaves the path out, because that of a mangled link may contain its code. */
  readonly isUnknownPath?: true;
}

export type PageHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Answers a request for a page. Never rejects. */
export type ServePage = (request: PageRequest) => Promise<PageResponse>;

/** A request that has passed the checks that all pages share. */
export interface Visit {
  readonly request: PageRequest;
  /** The language that the browser asks for, or that of the user once a link has identified one. */
  readonly language: Language;
  /** Every step checks it before it queries the database or hashes a password. */
  readonly caller: Caller;
}

/**
 * The handlers of one path. `get` must not change anything, because mail scanners and link previews open links too; it
 * also answers HEAD. A POST is accepted from our own pages only, and with one content type: that of HTML forms, or JSON.
 *
 * Handlers may throw. SignetError UNAVAILABLE and ABORTED become a page with status 503, any other error one with status
 * 500 and the request id.
 */
export interface PageRoute {
  readonly get?: (visit: Visit) => PageResponse | Promise<PageResponse>;
  readonly postForm?: (visit: Visit, form: URLSearchParams) => Promise<PageResponse>;
  readonly postJson?: (visit: Visit, json: unknown) => Promise<PageResponse>;
}

/** Routes by path, such as `/ui/init`. */
export type PageRoutes = Readonly<Record<string, PageRoute>>;
