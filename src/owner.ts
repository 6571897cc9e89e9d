import type { Call } from "./call.ts";

/** The owner of an object: the instance or an organization. Event types start with the kind. */
export interface Owner {
  readonly kind: "instance" | "org";
  readonly id: string;
}

/** An operation on the objects of one owner. */
type OwnerOperation<Parts, Fields, Result> = (
  parts: Parts,
  fields: Fields,
  owner: Owner,
  call: Call,
) => Promise<Result>;

/** The operation for the objects of the instance. */
export function ofInstance<Parts, Fields, Result>(operate: OwnerOperation<Parts, Fields, Result>) {
  return (parts: Parts, fields: Fields, call: Call) =>
    operate(parts, fields, { kind: "instance", id: call.instanceId }, call);
}

/** The operation for the objects of the target organization. */
export function ofOrg<Parts, Fields, Result>(operate: OwnerOperation<Parts, Fields, Result>) {
  return (parts: Parts, fields: Fields, call: Call) => operate(parts, fields, { kind: "org", id: call.orgId }, call);
}
