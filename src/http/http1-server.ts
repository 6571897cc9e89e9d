import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { invalidArgument, SignetError } from "../errors.ts";
import type { Budgets } from "./budgets.ts";
import type { Connection } from "./connection.ts";
import { toErrorResponse } from "./error-object.ts";
import { Http1Exchange } from "./http1-exchange.ts";
import type { OnRequest } from "./http2-server.ts";
import { headersTooLarge } from "./request-head.ts";

interface Http1Server {
  accept(connection: Connection): void;
  /** From now on, every response closes its connection, and idle connections are closed. */
  drain(): void;
}

export function createHttp1Server({
  budgets,
  requestTimeoutMs,
  onRequest,
  onFault,
}: {
  readonly budgets: Budgets;
  /** How long a client may take for a whole request. */
  readonly requestTimeoutMs: number;
  readonly onRequest: OnRequest;
  readonly onFault: (fault: Error) => void;
}): Http1Server {
  const connections = new WeakMap<Socket, Connection>();
  const responses = new Set<ServerResponse>();
  let isDraining = false;

  const server = createServer(
    {
      maxHeaderSize: budgets.headerBytes,
      headersTimeout: budgets.headMs,
      requestTimeout: Math.max(requestTimeoutMs, budgets.headMs),
      keepAliveTimeout: budgets.idleMs,
      connectionsCheckingInterval: Math.min(budgets.headMs, 1_000),
      // Node's own response has no error object.
      requireHostHeader: false,
    },
    receive,
  );
  // Node enforces its timeouts only after this event.
  server.emit("listening");
  server.on("error", onFault);
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    onFault(error);
    refuse(error, socket, connections.get(socket));
  });

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = connections.get(socket);
    if (connection === undefined) throw new Error("a request without a connection");
    // A broken connection also emits `close`. Without a listener, the error would crash the process.
    response.on("error", onFault);
    if (isDraining) response.setHeader("connection", "close");
    responses.add(response);
    onRequest(new Http1Exchange(connection, request, response), findProblem(request));
    response.once("close", () => {
      responses.delete(response);
      if (isDraining && connection.requests.size === 0) socket.destroySoon();
    });
  }

  /**
   * Responds to bytes that are not an HTTP/1.1 request, unless a response is being sent, and disconnects the client.
   */
  function refuse(error: NodeJS.ErrnoException, socket: Socket, connection: Connection | undefined): void {
    const refusal = toRefusal(error.code, budgets);
    const isResponding = [...(connection?.requests ?? [])].some(({ sentAt }) => sentAt !== undefined);
    if (refusal === undefined || !socket.writable || isResponding) {
      socket.destroy();
      return;
    }
    const { status, headers, body } = toErrorResponse(refusal);
    const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, "connection: close", `content-length: ${body.length}`];
    for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
    socket.write(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), body]));
    socket.destroySoon();
  }

  return {
    accept(connection) {
      connection.protocol = "http1";
      connections.set(connection.socket, connection);
      server.emit("connection", connection.socket);
    },
    drain() {
      isDraining = true;
      for (const response of responses) if (!response.headersSent) response.setHeader("connection", "close");
      server.close();
    },
  };
}

function findProblem({ httpVersion, httpVersionMajor, headers }: IncomingMessage): SignetError | undefined {
  // Node's parser accepts a request line without a version, or with version HTTP/2.
  if (httpVersionMajor !== 1) return malformed();
  if (headers.host !== undefined || httpVersion === "1.0") return undefined;
  return invalidArgument({ field: "host", description: "is required in HTTP/1.1 (RFC 9112, section 3.2)" });
}

function toRefusal(code: string | undefined, budgets: Budgets): SignetError | undefined {
  if (code === "HPE_HEADER_OVERFLOW") return headersTooLarge(budgets);
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new SignetError("REQUEST_TIMEOUT", "the request did not arrive in time");
  }
  return code?.startsWith("HPE_") ? malformed() : undefined;
}

function malformed(): SignetError {
  return new SignetError("HTTP_MALFORMED", "the request is not valid HTTP/1.1");
}
