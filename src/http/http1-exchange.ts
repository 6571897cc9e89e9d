import type { IncomingMessage, ServerResponse } from "node:http";
import type { SignetError } from "../errors.ts";
import { BaseExchange } from "./base-exchange.ts";
import type { Connection } from "./connection.ts";
import type { BodyLimits, RawHeaders } from "./exchange.ts";
import { readBody } from "./read-body.ts";

/** The exchange of an HTTP/1.1 request. Its trailers follow a chunked body, and few clients read them. */
export class Http1Exchange extends BaseExchange {
  readonly hasTrailers = false;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(connection: Connection, request: IncomingMessage, response: ServerResponse) {
    // RFC 9112, section 3.2.2: a server must accept the absolute form, which is meant for proxies.
    const target = (request.url ?? "").replace(/^https?:\/\/[^/?]*/i, "");
    super(connection, request.method ?? "", target, request.headers, request.rawHeaders);
    this.#request = request;
    this.#response = response;
    response.on("close", () => this.close());
  }

  readBody(limits: BodyLimits): Promise<Buffer | SignetError> {
    return readBody(this.#request, limits);
  }

  send(status: number, headers: RawHeaders, body?: Uint8Array, trailers?: RawHeaders): void {
    const response = this.#response;
    if (response.destroyed || response.headersSent) return;
    if (body !== undefined && trailers !== undefined) {
      response.writeHead(status, [...headers]);
      response.write(body);
      response.addTrailers(toPairs(trailers));
      response.end();
    } else {
      const length = String(body?.length ?? 0);
      response.writeHead(status, [...headers, ...(trailers ?? []), "content-length", length]);
      response.end(body);
    }
    this.sentAt = performance.now();
  }

  toNode(): { request: IncomingMessage; response: ServerResponse } {
    this.#response.once("finish", () => {
      this.sentAt = performance.now();
    });
    return { request: this.#request, response: this.#response };
  }

  abandon(): void {
    this.connection.socket.destroy();
  }
}

function toPairs(headers: RawHeaders): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < headers.length; at += 2) pairs.push([headers[at] ?? "", headers[at + 1] ?? ""]);
  return pairs;
}
