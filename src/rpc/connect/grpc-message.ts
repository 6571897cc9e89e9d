/**
 * Connect encodes more of ASCII in `grpc-message` than PROTOCOL-HTTP2.md asks for, and @grpc/grpc-js does not decode that.
 */
export function encodeGrpcMessage(trailer: Headers | undefined): void {
  const message = trailer?.get("grpc-message");
  if (message) trailer?.set("grpc-message", encodeURI(decodeURIComponent(message)));
}
