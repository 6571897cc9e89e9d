/**
 * Encodes `grpc-message` as PROTOCOL-HTTP2.md requires. Connect encodes more ASCII characters, which @grpc/grpc-js does
 * not decode.
 */
export function encodeGrpcMessage(trailer: Headers | undefined): void {
  const message = trailer?.get("grpc-message");
  if (message) trailer?.set("grpc-message", encodeURI(decodeURIComponent(message)));
}
