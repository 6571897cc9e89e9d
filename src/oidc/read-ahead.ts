import type { AdapterPayload } from "oidc-provider";
import type { AccountRow } from "./accounts.ts";
import { stateOfRequest } from "./request-state.ts";

/** What is read together with an artifact, keyed by id. */
interface Readable {
  Grant: AdapterPayload;
  /** By the public id of the session. */
  Session: AdapterPayload;
  Account: AccountRow;
}

/**
 * Keeps additional data that a statement has read, until the same request needs it.
 *
 * @param value Undefined if there is none.
 */
export function keepRead<Kind extends keyof Readable>(kind: Kind, id: string, value: Readable[Kind] | undefined): void {
  stateOfRequest()?.read.set(`${kind} ${id}`, value);
}

/** Returns what the request has read before, once; otherwise what `read` returns. */
export async function takeRead<Kind extends keyof Readable>(
  kind: Kind,
  id: string,
  read: () => Promise<Readable[Kind] | undefined>,
): Promise<Readable[Kind] | undefined> {
  const values = stateOfRequest()?.read;
  const key = `${kind} ${id}`;
  if (!values?.has(key)) return await read();
  const value = values.get(key) as Readable[Kind] | undefined;
  values.delete(key);
  return value;
}
