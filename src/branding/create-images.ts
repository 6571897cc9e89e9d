import { LRUCache } from "lru-cache";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";

/** The images of brandings, by the name in their URL. */
export interface BrandingImages {
  /**
   * Returns a PNG or SVG file; undefined if no branding uses it. Requests of the same image share one query.
   *
   * @throws SignetError for a failure of the database.
   */
  find(hash: string): Promise<Buffer | undefined>;
}

/** At least 32 images. */
const MAX_CACHED_BYTES = 16 * 1_024 * 1_024;

export function createBrandingImages({ db }: { readonly db: Database }): BrandingImages {
  const cache = new LRUCache<string, Buffer>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ length }) => length,
    async fetchMethod(hash) {
      const [row] = await selectImage(db, { hash });
      return row?.data;
    },
  });
  return { find: (hash) => cache.fetch(hash) };
}

const selectImage = prepareStatement<{ hash: string }, { data: Buffer }>((db, param) =>
  db.selectFrom("branding_images").select("data").where("hash", "=", param("hash", "text")).limit(1),
);
