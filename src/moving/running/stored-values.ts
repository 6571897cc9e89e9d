import type { CallOptions } from "@connectrpc/connect";
import type { Human, User } from "../../../gen/signet/v1/user_pb.js";
import { PROFILE_FIELDS } from "../../database/profile.ts";
import { encodeBase64 } from "../../fields/bytes.ts";
import type { MovingApi } from "../moving-api.ts";

/** An address or a number. */
interface Contact {
  readonly value: string;
  readonly isVerified: boolean;
}

/** A value of a user, as reports have it: null if there is none. Metadata is in base64, and a gender a number. */
export type StoredValue = string | number | null | Contact;

/** A field that an update changes: `profile.…`, `email`, `phone`, or `metadata.…`. */
export interface FieldChange {
  readonly field: string;
  readonly from: StoredValue;
  readonly to: StoredValue;
}

/** Returns the stored value of each of the fields. */
export async function readStoredValues(
  user: User,
  fields: readonly string[],
  readMetadata: ReadMetadata,
): Promise<(field: string) => StoredValue> {
  const human = user.type.case === "human" ? user.type.value : undefined;
  const hasMetadata = fields.some((field) => field.startsWith(METADATA));
  const metadata = hasMetadata ? await readMetadata() : new Map<string, string>();
  return (field) => {
    if (field.startsWith(METADATA)) return metadata.get(field.slice(METADATA.length)) ?? null;
    return human === undefined ? null : shownValue(human, field);
  };
}

const METADATA = "metadata.";

/** Reads the metadata of a user, in base64. */
export type ReadMetadata = () => Promise<ReadonlyMap<string, string>>;

/** Creates a reader that calls the target when it is first asked, and has the answer from then on. */
export function createMetadataReader({ management }: MovingApi, id: string, options: CallOptions): ReadMetadata {
  let metadata: ReturnType<ReadMetadata> | undefined;
  return () => {
    metadata ??= read();
    return metadata;
  };

  async function read() {
    const { result } = await management.listUserMetadata({ id, query: { limit: 1_000 } }, options);
    return new Map(result.map(({ key, value }) => [key, encodeBase64(value)]));
  }
}

function shownValue({ profile, email, phone }: Human, field: string): StoredValue {
  if (field === "email") return { value: email?.email ?? "", isVerified: email?.isEmailVerified ?? false };
  if (field === "phone") return phone?.phone ? { value: phone.phone, isVerified: phone.isPhoneVerified } : null;
  const name = PROFILE_FIELDS.find((each) => `profile.${each}` === field);
  return name === undefined ? null : (profile?.[name] ?? null) || null;
}
