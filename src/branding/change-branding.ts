import { createId } from "../crypto/secrets.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { addObject, type Change, changeObject, holdOwner, inOwnerChange } from "../events/change-object.ts";
import type { Owner } from "../owner.ts";
import type { UploadedImage } from "./check-label-image.ts";
import { IMAGES, type Label } from "./label-settings.ts";
import type { CustomTexts } from "./message-texts.ts";
import type { PageTextsByLanguage } from "./page-texts.ts";

/** The columns of a branding. */
export interface StoredBranding {
  readonly draft: Label | null;
  readonly active: Label | null;
  readonly texts: CustomTexts;
  readonly page_texts: PageTextsByLanguage;
  readonly active_page_texts: PageTextsByLanguage;
}

const EMPTY: StoredBranding = { draft: null, active: null, texts: {}, page_texts: {}, active_page_texts: {} };

/** How the branding of an owner changes. */
interface BrandingChange {
  readonly event: NewEvent;
  /** Returns the new values. May throw. A branding that does not exist is empty. */
  readonly decide: (stored: StoredBranding) => Partial<StoredBranding>;
  /** An image that the new values use. */
  readonly image?: UploadedImage;
}

/**
 * An operation that changes the branding of an owner. The owner is locked, so that changes run one after another. It
 * returns the details of the last event, also if nothing was changed. It throws the error of `decide`, or SignetError
 * for a failure of the database.
 */
export function inBrandingChange<Fields>(toChange: (fields: Fields, owner: Owner) => BrandingChange) {
  return inOwnerChange(async (change, fields: Fields, owner) => {
    const { event, decide, image } = toChange(fields, owner);
    await holdOwner(change, owner);
    const query = change.db.selectFrom("brandings").selectAll().where("owner_id", "=", owner.id);
    const row = await query.executeTakeFirst();
    const stored = row === undefined ? EMPTY : (row as StoredBranding);
    const columns = decide(stored);
    if (image !== undefined) await storeImage(change, owner, image);
    await prune(change, owner, { ...stored, ...columns });
    if (row !== undefined) return await changeObject(change, "brandings", row, [event], columns);
    return await addObject(change, "brandings", { owner_id: owner.id, id: createId(), ...EMPTY, ...columns }, [event]);
  });
}

async function storeImage({ db, now }: Change, { id: owner_id }: Owner, { hash, data }: UploadedImage): Promise<void> {
  await db
    .insertInto("branding_images")
    .values({ owner_id, hash, data, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes the images that neither the draft nor the active policy uses any more. */
async function prune({ db }: Change, { id: ownerId }: Owner, { draft, active }: StoredBranding): Promise<void> {
  const used = [draft, active].flatMap((label) => IMAGES.map((image) => label?.[image] ?? ""));
  await db.deleteFrom("branding_images").where("owner_id", "=", ownerId).where("hash", "not in", used).execute();
}
