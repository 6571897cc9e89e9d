import { type AdapterPayload, Provider } from "oidc-provider";
import type { AccountRow } from "./accounts.ts";

/** What is read together with an artifact, by its id. */
interface Readable {
  Grant: AdapterPayload;
  /** By the public id of the session. */
  Session: AdapterPayload;
  Account: AccountRow;
}

/** The values that each request of the provider keeps. */
const valuesOfRequests = new WeakMap<object, Map<string, unknown>>();

/**
 * Keeps what a statement has read besides what was asked for, until the same request asks for it.
 *
 * @param value undefined if there is none.
 */
export function keepRead<Kind extends keyof Readable>(kind: Kind, id: string, value: Readable[Kind] | undefined): void {
  const { ctx } = Provider;
  if (ctx === undefined) return;
  const values = valuesOfRequests.get(ctx) ?? new Map();
  values.set(`${kind} ${id}`, value);
  valuesOfRequests.set(ctx, values);
}

/** Returns what the request has read before, once; otherwise what `read` returns. */
export async function takeRead<Kind extends keyof Readable>(
  kind: Kind,
  id: string,
  read: () => Promise<Readable[Kind] | undefined>,
): Promise<Readable[Kind] | undefined> {
  const values = Provider.ctx && valuesOfRequests.get(Provider.ctx);
  const key = `${kind} ${id}`;
  if (values === undefined || !values.has(key)) return await read();
  const value = values.get(key) as Readable[Kind] | undefined;
  values.delete(key);
  return value;
}
