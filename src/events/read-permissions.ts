import { type ApiActor, isAllowedIn } from "../actor.ts";
import type { Permission } from "../roles.ts";
import { EVENT_TEXTS } from "./catalogue.ts";

/**
 * The permission that reads the object of an event, as the call that returns the object requires it, by the beginning of
 * the event's type. The first that fits counts.
 */
const BY_BEGINNING: readonly (readonly [beginning: string, Permission])[] = [
  ["instance.idp.", "iam.idp.read"],
  ["instance.member.", "iam.member.read"],
  ["instance.label.policy.", "iam.policy.read"],
  ["instance.message.", "iam.policy.read"],
  ["instance.page.", "iam.policy.read"],
  ["instance.login.policy.", "iam.policy.read"],
  ["instance.", "iam.read"],
  ["org.idp.", "org.idp.read"],
  ["org.member.", "org.member.read"],
  ["org.label.policy.", "policy.read"],
  ["org.message.", "policy.read"],
  ["org.page.", "policy.read"],
  ["org.login.policy.", "policy.read"],
  ["org.webhook.", "org.hook.read"],
  ["org.password.hook.", "org.hook.read"],
  ["org.scim.", "org.scim.read"],
  ["org.api.", "org.app.read"],
  ["org.", "org.read"],
  ["app.", "org.app.read"],
  ["user.", "user.read"],
];

const PERMISSIONS = Object.keys(EVENT_TEXTS).map(
  (type) => [type, BY_BEGINNING.find(([beginning]) => type.startsWith(beginning))?.[1]] as const,
);

/**
 * The types of events that a caller may read in its organization, or in the instance with all organizations; undefined
 * for all. A caller who may not read all objects sees no events of types that only another version of the service has.
 */
export function readableTypes(scope: "org" | "instance", actor: ApiActor): readonly string[] | undefined {
  // An organization has no events of the instance.
  const types = PERMISSIONS.filter(([type]) => scope === "instance" || !type.startsWith("instance."));
  const readable = types.filter(([, permission]) => permission !== undefined && isAllowedIn(scope, actor, permission));
  return readable.length === types.length ? undefined : readable.map(([type]) => type);
}

/** The types that are in both lists; undefined for all. */
export function commonTypes(
  types: readonly string[] | undefined,
  others: readonly string[] | undefined,
): readonly string[] | undefined {
  if (types === undefined || others === undefined) return types ?? others;
  return types.filter((type) => others.includes(type));
}
