import { decodeBinaryHeader, encodeBinaryHeader } from "@connectrpc/connect";
import { StatusSchema } from "../../../gen/google/rpc/status_pb.js";
import { limitStatus, shortenMessage } from "../grpc/limit-status.ts";

/**
 * Encodes `grpc-message` as PROTOCOL-HTTP2.md requires. Connect encodes more ASCII characters, which @grpc/grpc-js does
 * not decode. Shortens an error that is longer than clients accept.
 */
export function rewriteGrpcTrailers(trailer: Headers | undefined): void {
  const message = trailer?.get("grpc-message");
  if (message) trailer?.set("grpc-message", encodeURI(shortenMessage(decodeURIComponent(message))));
  const details = trailer?.get("grpc-status-details-bin");
  if (!details) return;
  const status = limitStatus(decodeBinaryHeader(details, StatusSchema));
  trailer?.set("grpc-status-details-bin", encodeBinaryHeader(status, StatusSchema));
}
