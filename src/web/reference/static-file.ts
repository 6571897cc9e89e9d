import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import Negotiator from "negotiator";
import { SignetError } from "../../errors.ts";
import type { Exchange, Handler, RawHeaders } from "../../http/exchange.ts";
import { sendError, sendWrongMethod } from "../../http/router.ts";

interface StaticFileOptions {
  /** The content type. */
  readonly type: string;
  /** Called on the first request, and again after a failure. */
  readonly read: () => Promise<Buffer>;
  /** Further headers. */
  readonly headers?: RawHeaders;
  /** Whether pages refer to the file with its version (`versionOf`) in the query, as `v`. It is then cached forever. */
  readonly isVersioned?: boolean;
  /** Whether the name of the file contains a hash of its content. It is then cached forever, too. */
  readonly isHashed?: boolean;
  readonly onError: (error: unknown) => void;
}

/** The encodings of a file, each with its `ETag`. */
interface Encodings {
  readonly version: string;
  readonly identity: { readonly body: Buffer; readonly etag: string };
  readonly gzip: { readonly body: Buffer; readonly etag: string };
}

/**
 * Serves one file that does not change while the process runs. The file is read and compressed on the first request,
 * and kept in memory. Clients must revalidate (RFC 9111), because the next version of the service may have a different
 * file.
 */
export function createStaticFile({
  type,
  read,
  headers = [],
  isVersioned = false,
  isHashed = false,
  onError,
}: StaticFileOptions): Handler {
  let encodings: Promise<Encodings> | undefined;

  return (exchange) => {
    const { method, id } = exchange;
    const own = ["x-request-id", id, ...headers];
    if (method !== "GET" && method !== "HEAD") return sendWrongMethod(exchange, own, ["GET", "HEAD"]);
    const refusal = exchange.refuseStranger();
    if (refusal !== undefined) return sendError(exchange, own, refusal);
    encodings ??= compress(read());
    encodings.then(
      (file) => respond(exchange, own, file),
      (error) => {
        encodings = undefined;
        onError(error);
        sendError(exchange, own, new SignetError("INTERNAL", "internal error"));
      },
    );
  };

  function respond(exchange: Exchange, own: RawHeaders, file: Encodings): void {
    const [encoding] = new Negotiator(exchange).encodings(["gzip", "identity"]);
    const { body, etag } = encoding === "gzip" ? file.gzip : file.identity;
    const caching = ["etag", etag, "cache-control", cacheControl(exchange, file), "vary", "accept-encoding"];
    if (isCurrent(exchange.headers["if-none-match"], etag)) {
      exchange.send(304, [...own, ...caching]);
      return;
    }
    const content = ["content-type", type, "x-content-type-options", "nosniff"];
    if (encoding === "gzip") content.push("content-encoding", "gzip");
    exchange.send(200, [...own, ...caching, ...content], body);
  }

  function cacheControl({ query }: Exchange, { version }: Encodings): string {
    const isForever = isHashed || (isVersioned && query === `v=${version}`);
    return isForever ? "public, max-age=31536000, immutable" : "public, no-cache";
  }
}

/** The version of a file: a hash of its content. */
export function versionOf(body: Buffer): string {
  return createHash("sha256").update(body).digest("base64url").slice(0, 22);
}

async function compress(reading: Promise<Buffer>): Promise<Encodings> {
  const body = await reading;
  const version = versionOf(body);
  return {
    version,
    identity: { body, etag: `"${version}"` },
    gzip: { body: await promisify(gzip)(body, { level: 9 }), etag: `"${version}-gzip"` },
  };
}

/** Whether the client already has the file (RFC 9110, section 13.1.2). */
function isCurrent(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false;
  return given.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === etag);
}
