import type { Event } from "../../../gen/signet/v1/event_pb.js";

/** A value in an event. `before` is undefined if it is not known. */
interface ChangedValue {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/** The values that say which of several things of one object an event is about. */
const KEYS = ["userId", "key", "message", "language", "image"];

const MEMBER = /\.member\.(?:added|changed|removed)$/;
const REPLACING = /\.(?:changed|set)$/;

/**
 * The types of the events that have the values before an event; empty if the event replaces none.
 *
 * @param type Such as `org.changed`.
 */
export function earlierTypesOf(type: string): string[] {
  if (!MEMBER.test(type) && !REPLACING.test(type)) return [];
  const beginning = type.slice(0, type.lastIndexOf("."));
  const whole = ["added", "changed", "set", "removed"].map((end) => `${beginning}.${end}`);
  if (type.startsWith("user.")) return [...whole, "user.human.added", "user.machine.added"];
  return type.endsWith(".idp.changed") ? [...whole, `${beginning}.oidc.added`] : whole;
}

/**
 * What an event has changed, or the values in it.
 *
 * @param earlier Events of the types of `earlierTypesOf`, of the same object, the latest first.
 */
export function changesOf(event: Event, earlier: readonly Event[]): ChangedValue[] {
  const type = event.type?.type ?? "";
  const values = flatten(event.payload ?? {});
  const same = earlier.filter(({ payload }) => KEYS.every((key) => !(key in values) || payload?.[key] === values[key]));
  if (MEMBER.test(type)) return [changeOfRoles(type, values, same)];
  const before = REPLACING.test(type) ? valuesBefore(same) : undefined;
  return Object.entries(values)
    .map(([name, after]) => ({ name, before: before?.[name], after }))
    .filter((change) => before === undefined || !sameValue(change.before, change.after));
}

/** The newest of each value, back to the removal of all. Undefined if there is none. */
function valuesBefore(earlier: readonly Event[]): Values | undefined {
  if (earlier.length === 0) return undefined;
  const removed = earlier.findIndex(({ type }) => type?.type.endsWith(".removed"));
  const kept = removed < 0 ? earlier : earlier.slice(0, removed);
  return Object.assign({}, ...kept.map(({ payload }) => flatten(payload ?? {})).reverse());
}

function changeOfRoles(type: string, values: Values, earlier: readonly Event[]): ChangedValue {
  const before = earlier.reduceRight<readonly unknown[]>(
    (roles, { type: each, payload }) => rolesAfter(each?.type ?? "", payload ?? {}, roles),
    [],
  );
  return { name: "roles", before, after: rolesAfter(type, values, before) };
}

function rolesAfter(type: string, values: Values, before: readonly unknown[]): readonly unknown[] {
  if (type.endsWith(".added")) return [...before, values.role];
  return type.endsWith(".changed") && Array.isArray(values.roles) ? values.roles : [];
}

/** The values in objects of an object, such as `options.isAutoCreation`. */
function flatten(values: Values, path = ""): Values {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.entries(flatten(value as Values, `${path}${name}.`))
        : [[path + name, value]],
    ),
  );
}

function sameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
