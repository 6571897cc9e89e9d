import type { IncomingHttpHeaders } from "node:http";

/** A request for something under `/ui/`, of either version of HTTP. */
export interface PageRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** IP address of the client, as far as the trusted proxies tell it. */
  readonly address: string;
  /** @throws SignetError BODY_TOO_LARGE. */
  readBody(): Promise<Buffer>;
}

export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers a request for a page. */
export type ServePage = (request: PageRequest) => Promise<PageResponse>;
