import { type Expression, type RawBuilder, sql } from "kysely";

/** Values that are stored with a user, in Base64, by key. */
export type StoredMetadata = Readonly<Record<string, string>>;

/**
 * The metadata of the user in `users` that an application gets, in a statement; null if it gets none.
 *
 * @param appId The id of the application.
 */
export function metadataFor(appId: Expression<unknown>): RawBuilder<StoredMetadata | null> {
  return sql<StoredMetadata | null>`(
    select case when app.metadata_claims <> '{}' then coalesce((
      select jsonb_object_agg(stored.key, encode(stored.value, 'base64')) from user_metadata as stored
      where stored.org_id = users.org_id and stored.user_id = users.id and stored.key = any (app.metadata_claims)),
      '{}') end
    from apps as app where app.id = ${appId})`;
}

/** The claim `metadata`: texts by key. A value that is not UTF-8 is left out. */
export function toMetadataClaim(stored: StoredMetadata | null): Record<string, string> | undefined {
  if (stored === null) return undefined;
  const texts = Object.entries(stored).flatMap(([key, value]) => {
    const text = decode(Buffer.from(value, "base64"));
    return text === undefined ? [] : [[key, text] as const];
  });
  return Object.fromEntries(texts);
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(value: Buffer): string | undefined {
  try {
    return UTF8.decode(value);
  } catch {
    return undefined;
  }
}
