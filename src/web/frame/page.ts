import type { IncomingHttpHeaders } from "node:http";
import type { Scheme } from "../../branding/accent.ts";
import type { PageBranding } from "../../branding/create-brandings.ts";
import type { Caller } from "../../call.ts";
import type { SignetError } from "../../errors.ts";
import type { Span } from "../../telemetry/span.ts";
import type { PageLanguage } from "../../texts/page-language.ts";

/** A request below `/ui/`, of either HTTP version. */
export interface PageRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** IP address of the client: the connection's address, or the one reported by trusted proxies. */
  readonly address: string;
  /** The id of the request in the log. */
  readonly requestId: string;
  /** The error of a request that is rejected before routing: TOO_MANY_REQUESTS, UNAVAILABLE or INVALID_ARGUMENT. */
  readonly refusal: SignetError | undefined;
  /** Aborted when the client disconnects, or when REQUEST_TIMEOUT_MS has passed. */
  readonly signal: AbortSignal;
  readonly span?: Span | undefined;
  /**
   * @param maxBytes By default 64 KiB.
   * @throws SignetError BODY_TOO_LARGE; DEADLINE_EXCEEDED if `signal` is aborted before the body has arrived; UNAVAILABLE
   *   while too many larger bodies are held.
   */
  readBody(maxBytes?: number): Promise<Buffer>;
}

export interface PageResponse {
  readonly status: number;
  /** A header with several values, such as `set-cookie`, is sent once for each. */
  readonly headers: PageHeaders;
  readonly body: string | Uint8Array | PageLayout;
  /** The organization whose branding the page has; by default, it is that of the instance. */
  readonly orgId?: string;
  /** The path with placeholders for ids, for metrics; absent for an unknown path. */
  readonly route?: string;
  /** The cause of a failure. It is logged, and never sent to the client. */
  readonly cause?: unknown;
  /** The path for the log, without sign-in ids. */
  readonly loggedPath?: string;
  /**
   * Whether the path is unknown. In that case, the log omits it, because the path of a mangled link may contain its
   * code.
   */
  readonly isUnknownPath?: true;
}

/** Returns the HTML of a page. */
export type PageLayout = (branding: PageBranding, preview?: PagePreview) => string;

/** How to show a page on which nothing can be used. */
export interface PagePreview {
  /** By default, that of the browser. */
  readonly scheme: Scheme | undefined;
}

/** A page in its branding. */
export interface LaidOutPage extends Omit<PageResponse, "body" | "orgId"> {
  readonly body: string | Uint8Array;
}

export type PageHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Serves a request for a page. Never rejects. */
export type ServePage = (request: PageRequest) => Promise<LaidOutPage>;

/** A request that has passed the checks that all pages share. */
export interface Visit {
  readonly request: PageRequest;
  /**
   * The browser's language, or the user's after a link has identified the user. Its texts are the built-in ones until the
   * organization is known; pages without one get those of the instance from `renderInBranding`.
   */
  readonly language: PageLanguage;
  /** The caller, whose signal every step checks before it queries the database or hashes a password. */
  readonly caller: Caller;
}

/**
 * The handlers of one path. `get` must not change anything, because mail scanners and link previews open links too; it
 * also handles HEAD. A POST is accepted only from our own pages, and with one content type: HTML form or JSON.
 *
 * Handlers may throw. SignetError UNAVAILABLE and ABORTED become a page with status 503; any other error becomes a page
 * with status 500 and the request id.
 */
export interface PageRoute<Parts> {
  readonly get?: (parts: Parts, visit: Visit) => PageResponse | Promise<PageResponse>;
  readonly postForm?: (parts: Parts, visit: Visit, form: URLSearchParams) => Promise<PageResponse>;
  /** Whether forms of other sites are accepted, which must change nothing. */
  readonly acceptsOtherSites?: true;
  /** Takes the bytes of a form that may be larger than others, instead of `postForm`. */
  readonly postLargeForm?: (parts: Parts, visit: Visit) => Promise<PageResponse>;
  readonly postJson?: (parts: Parts, visit: Visit, json: unknown) => Promise<PageResponse>;
}

/** Routes by path, such as `/ui/init`. */
export type PageRoutes<Parts> = Readonly<Record<string, PageRoute<Parts>>>;
