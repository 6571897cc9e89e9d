import { type Expression, type RawBuilder, sql } from "kysely";
import { STANDARD_KEYS } from "./standard-claims.ts";

/** Metadata of a user for an application. */
export interface StoredMetadata {
  /** The keys that the application has chosen. */
  readonly chosen: readonly string[];
  /** Values in Base64, by key: those that the application has chosen, and those of standard claims. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * The metadata of the user in `users` that an application gets, in a statement; null without an application.
 *
 * @param appId The id of the application.
 */
export function metadataFor(appId: Expression<unknown>): RawBuilder<StoredMetadata | null> {
  return sql<StoredMetadata | null>`(
    select jsonb_build_object('chosen', app.metadata_claims, 'values', coalesce((
      select jsonb_object_agg(stored.key, encode(stored.value, 'base64')) from user_metadata as stored
      where stored.org_id = users.org_id and stored.user_id = users.id
        and stored.key = any (app.metadata_claims || ${sql.lit(`{${STANDARD_KEYS.join(",")}}`)}::text[])), '{}'))
    from apps as app where app.id = ${appId})`;
}

/** The claim `metadata`: texts by key. A value that is not UTF-8 is left out. Undefined if the application gets none. */
export function toMetadataClaim({ chosen, values }: StoredMetadata): Record<string, string> | undefined {
  if (chosen.length === 0) return undefined;
  const texts = chosen.flatMap((key) => {
    const text = readText(values[key]);
    return text === undefined ? [] : [[key, text] as const];
  });
  return Object.fromEntries(texts);
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @returns Undefined for a value that is missing or not UTF-8. */
export function readText(base64: string | undefined): string | undefined {
  if (base64 === undefined) return undefined;
  try {
    return UTF8.decode(Buffer.from(base64, "base64"));
  } catch {
    return undefined;
  }
}
