import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import type { Exchange, RawHeaders } from "../../http/exchange.ts";
import { rewriteGrpcTrailers } from "./grpc-trailers.ts";

/** Sends the whole response of one of Connect's handlers, and returns its body. */
export async function sendResponse(
  exchange: Exchange,
  headers: RawHeaders,
  { status, header, body: chunks, trailer }: UniversalServerResponse,
): Promise<Buffer> {
  const body = await readAll(chunks);
  // The exchange adds the length itself.
  header?.delete("content-length");
  rewriteGrpcTrailers(trailer);
  const isBodiless = body.length === 0 && trailer !== undefined;
  const head = [...headers, ...[...(header ?? [])].flat()];
  exchange.send(status, head, isBodiless ? undefined : body, trailer && [...trailer].flat());
  return body;
}

async function readAll(chunks: AsyncIterable<Uint8Array> | null | undefined): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const chunk of chunks ?? []) read.push(chunk);
  return Buffer.concat(read);
}
