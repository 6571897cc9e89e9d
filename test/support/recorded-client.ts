import { type ClientHttp2Session, connect, createServer, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, connect as connectTcp, createServer as createTcpServer } from "node:net";

export interface Recording {
  /** The client's bytes, in chunks as received. */
  readonly chunks: Buffer[];
  /** The fields of each request as received by Node's server: alternating names and values. */
  readonly requests: string[][];
}

/** Runs an HTTP/2 client of Node against a server of Node, and records what the client sends. */
export async function recordClient(run: (client: ClientHttp2Session) => Promise<void>): Promise<Recording> {
  const recording: Recording = { chunks: [], requests: [] };
  const server = createServer();
  server.on("stream", (stream: ServerHttp2Stream, _headers, _flags, raw: string[]) => {
    recording.requests.push([...raw]);
    stream.on("error", () => {});
    stream.resume();
    stream.respond({ ":status": 200 });
    stream.end("answer");
  });
  const front = createTcpServer((socket) => {
    const inner = connectTcp((server.address() as AddressInfo).port);
    socket.on("data", (chunk) => {
      recording.chunks.push(chunk);
      inner.write(chunk);
    });
    inner.pipe(socket);
    for (const end of [socket, inner])
      end.on("error", () => {}).on("close", () => [socket, inner].map((s) => s.destroy()));
  });
  await Promise.all([server, front].map((s) => new Promise<void>((resolve) => s.listen(0, "127.0.0.1", resolve))));
  const client = connect(`http://127.0.0.1:${(front.address() as AddressInfo).port}`);
  try {
    await run(client);
  } finally {
    client.destroy();
    await Promise.all([server, front].map((s) => new Promise((resolve) => s.close(resolve))));
  }
  return recording;
}

/** Sends a request and reads the whole response. */
export async function fetchOnce(
  client: ClientHttp2Session,
  headers: Record<string, string>,
  body?: Buffer,
): Promise<Record<string, unknown>> {
  const stream = client.request({ ":method": body ? "POST" : "GET", ...headers });
  return new Promise((resolve, reject) => {
    let response: Record<string, unknown> = {};
    stream.on("response", (fields) => {
      response = fields;
    });
    stream.on("error", reject).on("end", () => resolve(response));
    stream.resume();
    stream.end(body);
  });
}
