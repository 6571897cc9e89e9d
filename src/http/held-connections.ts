import type { Refusal } from "./clients.ts";
import type { Connection } from "./connection.ts";

/** Connections over a budget that wait for their first request. */
interface HeldConnections {
  /** Adds a connection until it is closed. If there are too many, the oldest one without a request is closed. */
  add(connection: Connection, refusal: Refusal): void;
  has(connection: Connection): boolean;
  delete(connection: Connection): void;
}

/**
 * @param most How many connections are held at most.
 * @param onDropped Called before a connection is closed to make room for another one.
 */
export function createHeldConnections(most: number, onDropped: (refusal: Refusal) => void): HeldConnections {
  /** The oldest first. */
  const held = new Set<Connection>();

  function dropOldest(refusal: Refusal): void {
    for (const connection of held) {
      if (connection.requests.size > 0) continue;
      held.delete(connection);
      onDropped(refusal);
      connection.socket.destroy();
      return;
    }
  }

  return {
    add(connection, refusal) {
      held.add(connection);
      connection.socket.once("close", () => held.delete(connection));
      if (held.size > most) dropOldest(refusal);
    },
    has: (connection) => held.has(connection),
    delete: (connection) => void held.delete(connection),
  };
}
