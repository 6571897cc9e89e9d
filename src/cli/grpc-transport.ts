import { type ClientHttp2Session, connect, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from "node:http2";
import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { StatusSchema } from "../../gen/google/rpc/status_pb.js";

/** A transport that has to be closed, because its connection keeps the process alive. */
export interface GrpcTransport extends Transport {
  close(): void;
}

interface Options {
  /** Origin of the server. */
  readonly origin: string;
  readonly token: string;
  /** Deadline of a call. */
  readonly timeoutMs: number;
}

/**
 * Creates a transport of Connect for unary gRPC over one HTTP/2 connection, for commands that make very many calls. It is as plain as
 * the client of the benchmark, because client and server often share a machine. A lost connection is opened again by the next call.
 */
export function createGrpcTransport({ origin, token, timeoutMs }: Options): GrpcTransport {
  let session: ClientHttp2Session | undefined;
  const open = (): ClientHttp2Session => {
    if (session !== undefined && !session.closed && !session.destroyed) return session;
    const opened = connect(origin);
    // The calls on the connection get its errors.
    opened.on("error", () => {}).on("goaway", () => opened.close());
    session = opened;
    return opened;
  };
  return {
    async unary<I extends DescMessage, O extends DescMessage>(
      method: DescMethodUnary<I, O>,
      signal: AbortSignal | undefined,
      timeout: number | undefined,
      header: HeadersInit | undefined,
      input: MessageInitShape<I>,
    ) {
      const headers = {
        ":method": "POST",
        ":path": `/${method.parent.typeName}/${method.name}`,
        "content-type": "application/grpc",
        te: "trailers",
        authorization: `Bearer ${token}`,
        "grpc-timeout": `${timeout ?? timeoutMs}m`,
        ...toPlainHeaders(header),
      };
      const body = toFrame(toBinary(method.input, create(method.input, input)));
      const response = await exchange(open(), headers, body, { signal, timeoutMs: timeout ?? timeoutMs });
      return {
        stream: false,
        service: method.parent,
        method,
        header: new Headers(),
        trailer: new Headers(),
        message: fromBinary(method.output, response),
      } as const;
    },
    async stream(method) {
      throw new ConnectError(`${method.name} is a stream`, Code.Unimplemented);
    },
    close: () => session?.close(),
  };
}

function toPlainHeaders(header: HeadersInit | undefined): Record<string, string> {
  const isPlain = header !== undefined && !(header instanceof Headers) && !Array.isArray(header);
  return isPlain ? (header as Record<string, string>) : Object.fromEntries(new Headers(header));
}

/** Bytes before a message: a flag, and the length. */
const PREFIX = 5;

function toFrame(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(PREFIX + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, PREFIX);
  return frame;
}

/** How long a response may take beyond the deadline that the server observes. */
const GRACE_MS = 1_000;

type ResponseHeaders = IncomingHttpHeaders & IncomingHttpStatusHeader;

/** Sends a request, and returns the message of the response. */
function exchange(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body: Buffer,
  { signal, timeoutMs }: { readonly signal: AbortSignal | undefined; readonly timeoutMs: number },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const stream = session.request(headers, signal === undefined ? {} : { signal });
    const parts: Buffer[] = [];
    let status: ResponseHeaders = {};
    let failure: Error | undefined;
    stream.setTimeout(timeoutMs + GRACE_MS, () => stream.destroy(new Error("the server does not respond")));
    stream
      .on("response", (received) => {
        status = received;
      })
      .on("trailers", (received) => {
        status = { ...status, ...received };
      })
      .on("data", (part: Buffer) => parts.push(part))
      .on("error", (error) => {
        failure = error;
      })
      .on("close", () => {
        if (status["grpc-status"] !== "0") reject(toError(status, failure));
        else resolve(Buffer.concat(parts).subarray(PREFIX));
      });
    stream.end(body);
  });
}

/** Reads an error (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md). */
function toError(headers: ResponseHeaders, failure: Error | undefined): ConnectError {
  const { ":status": http, "grpc-status": status, "grpc-message": message = "" } = headers;
  if (status === undefined) {
    const isDenied = http === 401 || http === 403;
    const description = failure?.message ?? (http === undefined ? "the connection was closed" : `HTTP ${http}`);
    return new ConnectError(
      description,
      isDenied ? Code.Unauthenticated : Code.Unavailable,
      undefined,
      undefined,
      failure,
    );
  }
  const error = new ConnectError(decodeURIComponent(String(message)), Number(status) as Code);
  const details = headers["grpc-status-details-bin"];
  if (details === undefined) return error;
  const { details: any } = fromBinary(StatusSchema, Buffer.from(String(details), "base64"));
  error.details = any.map(({ typeUrl, value }) => ({ type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1), value }));
  return error;
}
