import type { JsonObject } from "@bufbuild/protobuf";
import type { CallOptions } from "@connectrpc/connect";
import { PROFILE_FIELDS } from "../../database/profile.ts";
import type { MovingApi } from "../moving-api.ts";

/** What the imports have given a user. */
type ImportedValues = ReadonlyMap<string, string | number | null>;

/**
 * Reads what imports have last given a user, from the events: those of the creator of the user, and those of the caller. A field
 * that has another value now was changed by somebody else.
 *
 * @param callerId Empty for the command line, whose events have no editor.
 * @returns Empty if the user was not imported, or the data of the events was erased.
 */
export async function readImportedValues(
  api: MovingApi,
  userId: string,
  callerId: string,
  options: CallOptions,
): Promise<ImportedValues> {
  const values = new Map<string, string | number | null>();
  const current = new Map<string, string | number | null>();
  let creatorId: string | undefined;
  let sequence = 0n;
  for (;;) {
    const query = { aggregateId: userId, eventTypes: TYPES, asc: true, limit: AT_ONCE, sequence };
    const { events, nextSequence } = await api.management.listEvents(query, options);
    for (const { type, editor, payload } of events) {
      const editorId = editor?.userId ?? "";
      if (type?.type === ADDED) creatorId = editorId;
      // Registered users have created themselves.
      const isImport = editorId !== userId && (editorId === creatorId || editorId === callerId);
      if (payload === undefined && isImport) return new Map();
      for (const [field, value] of toValues(type?.type ?? "", payload ?? {})) {
        // A change of the profile has all its fields, also those that somebody else has changed before.
        const isOld = type?.type === PROFILE_CHANGED && current.get(field) === value;
        if (isImport && !isOld) values.set(field, value);
        current.set(field, value);
      }
    }
    if (nextSequence === 0n) return values;
    sequence = nextSequence;
  }
}

const AT_ONCE = 1_000;
const ADDED = "user.human.added";
const PROFILE_CHANGED = "user.human.profile.changed";

const TYPES = [
  ADDED,
  PROFILE_CHANGED,
  ...["user.human.email.changed", "user.human.phone.changed", "user.human.phone.removed"],
  ...["user.metadata.set", "user.metadata.removed"],
];

function toValues(type: string, payload: JsonObject): readonly (readonly [string, string | number | null])[] {
  const read = (name: string) => {
    const value = payload[name];
    return typeof value === "string" || typeof value === "number" ? value || null : null;
  };
  switch (type) {
    case ADDED:
      return [...profileOf(read), ["email", read("email")], ["phone", read("phone")]];
    case PROFILE_CHANGED:
      return profileOf(read);
    case "user.human.email.changed":
      return [["email", read("email")]];
    case "user.human.phone.changed":
      return [["phone", read("phone")]];
    case "user.human.phone.removed":
      return [["phone", null]];
    case "user.metadata.set":
      return [[`metadata.${payload.key}`, read("value")]];
    case "user.metadata.removed":
      return [[`metadata.${payload.key}`, null]];
    default:
      return [];
  }
}

function profileOf(read: (name: string) => string | number | null) {
  return PROFILE_FIELDS.map((name) => [`profile.${name}`, read(name)] as const);
}
