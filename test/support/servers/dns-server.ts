import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";

/** A real DNS server on a local UDP port, which knows TXT records only (RFC 1035). */
export interface TestDns {
  /** `address:port`. */
  readonly address: string;
  /** The TXT records by name. A name without records does not exist. */
  readonly records: Map<string, readonly string[]>;
  /** The names that were asked for. */
  readonly asked: string[];
  /** From now on, no query gets a response. */
  silence(): void;
  close(): Promise<void>;
}

const HEADER_BYTES = 12;
const NO_SUCH_NAME = 3;

export async function startDns(): Promise<TestDns> {
  const socket = createSocket("udp4");
  const records = new Map<string, readonly string[]>();
  const asked: string[] = [];
  let isSilent = false;
  socket.on("message", (query: Buffer, from: RemoteInfo) => {
    const { name, end } = readName(query);
    asked.push(name);
    if (!isSilent) socket.send(respond(query.subarray(0, end + 4), records.get(name)), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    asked,
    silence() {
      isSilent = true;
    },
    async close() {
      socket.close();
      await once(socket, "close");
    },
  };
}

/** The name of the first question, and where it ends. */
function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (;;) {
    const length = query.readUInt8(at++);
    if (length === 0) return { name: labels.join(".").toLowerCase(), end: at };
    labels.push(query.toString("latin1", at, at + length));
    at += length;
  }
}

/** The response to a header with one question: a TXT record for each text. */
function respond(question: Buffer, texts: readonly string[] | undefined): Buffer {
  const response = Buffer.from(question);
  response.writeUInt16BE(0x8180 | (texts === undefined ? NO_SUCH_NAME : 0), 2);
  response.writeUInt16BE(texts?.length ?? 0, 6);
  response.writeUInt16BE(0, 8);
  response.writeUInt16BE(0, 10);
  const answers = (texts ?? []).map((text) => {
    const data = Buffer.concat([Buffer.from([text.length]), Buffer.from(text, "latin1")]);
    // The name of the question, TXT, IN, a lifetime of 0.
    const head = Buffer.from([0xc0, HEADER_BYTES, 0, 16, 0, 1, 0, 0, 0, 0, 0, data.length]);
    return Buffer.concat([head, data]);
  });
  return Buffer.concat([response, ...answers]);
}
