import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "../../call.ts";
import type { SignetError } from "../../errors.ts";
import type { Language } from "../../messages/languages.ts";
import type { Span } from "../../telemetry/span.ts";

/** A request below `/ui/`, of either HTTP version. */
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
  /** The error of a request that is rejected before any work: TOO_MANY_REQUESTS or UNAVAILABLE. */
  readonly refusal: SignetError | undefined;
  /** Aborted when the client disconnects, or when REQUEST_TIMEOUT_MS has passed. */
  readonly signal: AbortSignal;
  readonly span?: Span | undefined;
  /** @throws SignetError BODY_TOO_LARGE; DEADLINE_EXCEEDED if `signal` is aborted before the body has arrived. */
  readBody(): Promise<Buffer>;
}

export interface PageResponse {
  readonly status: number;
  /** A header with several values, such as `set-cookie`, is sent once for each. */
  readonly headers: PageHeaders;
  readonly body: string | Uint8Array;
  /** The path with placeholders for ids, for metrics; absent for an unknown path. */
  readonly route?: string;
  /** The cause of a failure, for the log and never for the client. */
  readonly cause?: unknown;
  /** The path for the log, without the id of a sign-in. */
  readonly loggedPath?: string;
  /** Whether the path is unknown. The log omits it then, because the path of a mangled link may contain its code. */
  readonly isUnknownPath?: true;
}

export type PageHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Serves a request for a page. Never rejects. */
export type ServePage = (request: PageRequest) => Promise<PageResponse>;

/** A request that has passed the checks that all pages share. */
export interface Visit {
  readonly request: PageRequest;
  /** The language of the browser, or of the user after a link has identified one. */
  readonly language: Language;
  /** Every step checks the signal before it queries the database or hashes a password. */
  readonly caller: Caller;
}

/**
 * The handlers of one path. `get` must not change anything, because mail scanners and link previews open links too; it
 * also answers HEAD. A POST is accepted from our own pages only, and with one content type: that of HTML forms, or
 * JSON.
 *
 * Handlers may throw. SignetError UNAVAILABLE and ABORTED become a page with status 503, any other error one with
 * status 500 and the request id.
 */
export interface PageRoute {
  readonly get?: (visit: Visit) => PageResponse | Promise<PageResponse>;
  readonly postForm?: (visit: Visit, form: URLSearchParams) => Promise<PageResponse>;
  readonly postJson?: (visit: Visit, json: unknown) => Promise<PageResponse>;
}

/** Routes by path, such as `/ui/init`. */
export type PageRoutes = Readonly<Record<string, PageRoute>>;
