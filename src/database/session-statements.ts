/** One message of a client (https://www.postgresql.org/docs/current/protocol-message-formats.html). */
export interface ClientMessage {
  /** Such as `P`. */
  readonly type: string;
  /** The whole message. */
  readonly bytes: Buffer;
}

/** The named statements of a session that many connections share. */
interface SessionStatements {
  /** Returns the messages of a batch as the session must get them. The caller holds the session. */
  resolve(messages: readonly ClientMessage[]): Promise<Buffer>;
}

/** All 388 statements of the service with their plans would take 86 MB. */
export const MAX_PREPARED = 100;

/** Has the same response as any Parse. */
const EMPTY_PARSE = toMessage("P", "\0\0\0\0");
const CLOSE_NOTHING = toMessage("C", "S\0");
const DEALLOCATE = toMessage("Q", "deallocate all\0");
export const SYNC = toMessage("S");

/**
 * Prepares each named statement once for all connections, which must use the same name for the same text only. Its plan is
 * then kept. A statement that was not used for long, or before a change of tables, is prepared again when it is next used.
 *
 * @param execute Sends messages to the session, and resolves to its response.
 */
export function createSessionStatements(execute: (messages: Buffer) => Promise<Buffer>): SessionStatements {
  /** The message that prepares a statement, by name. */
  const parses = new Map<string, Buffer>();
  const prepared = new Set<string>();
  let areOutdated = false;

  /** Whether the session has the statement afterwards. It does not get it in a failed transaction, or if it is invalid. */
  async function prepare(name: string, parse: Buffer): Promise<boolean> {
    if (areOutdated && startsWith(await execute(DEALLOCATE), "C")) {
      prepared.clear();
      areOutdated = false;
    }
    // The first one was not used for the longest time.
    if (prepared.delete(name) || startsWith(await execute(Buffer.concat([parse, SYNC])), "1")) prepared.add(name);
    const [oldest = ""] = prepared.size > MAX_PREPARED ? prepared : [];
    if (prepared.delete(oldest)) await execute(Buffer.concat([toMessage("C", `S${oldest}\0`), SYNC]));
    return prepared.has(name);
  }

  async function resolveOne({ type, bytes }: ClientMessage): Promise<Buffer> {
    const name = nameIn(type, bytes);
    if (name === "") {
      areOutdated ||= outdatesStatements(type, bytes);
      return bytes;
    }
    if (type === "C") return CLOSE_NOTHING;
    const known = parses.get(name);
    if (type !== "P") {
      // A statement that has become invalid fails with its own error, instead of one that it does not exist.
      return known === undefined || (await prepare(name, known)) ? bytes : Buffer.concat([known, bytes]);
    }
    if (known !== undefined && !known.equals(bytes)) return bytes;
    if (!(await prepare(name, bytes))) return bytes;
    parses.set(name, bytes);
    return EMPTY_PARSE;
  }

  return {
    async resolve(messages) {
      const resolved: Buffer[] = [];
      for (const message of messages) resolved.push(await resolveOne(message));
      return Buffer.concat(resolved);
    },
  };
}

/** The name of the statement in a message; empty if there is none. */
function nameIn(type: string, bytes: Buffer): string {
  switch (type) {
    case "P": // Parse
      return textAt(bytes, HEAD);
    case "B": // Bind: after the portal
      return textAt(bytes, bytes.indexOf(0, HEAD) + 1);
    case "D": // Describe, Close: of a statement or a portal
    case "C":
      return bytes[HEAD] === "S".charCodeAt(0) ? textAt(bytes, HEAD + 1) : "";
    default:
      return "";
  }
}

/** The type and the length. */
const HEAD = 5;

function textAt(bytes: Buffer, start: number): string {
  return bytes.toString("latin1", start, bytes.indexOf(0, start));
}

/**
 * Whether a message changes tables, or drops statements. After a change, PostgreSQL makes new plans by itself, but refuses
 * a statement whose columns are different.
 */
function outdatesStatements(type: string, bytes: Buffer): boolean {
  return (
    (type === "P" || type === "Q") &&
    /\b(?:alter|create|drop|deallocate|discard)\b/i.test(bytes.toString("latin1", HEAD))
  );
}

function startsWith(response: Buffer, type: string): boolean {
  return response[0] === type.charCodeAt(0);
}

/** Encodes a message of either side. */
export function toMessage(type: string, body = ""): Buffer {
  const bytes = Buffer.from(`${type}....${body}`);
  bytes.writeInt32BE(bytes.length - 1, 1);
  return bytes;
}
