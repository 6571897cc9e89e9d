import { hashSecret } from "../crypto/secrets.ts";

/** The primary key of an artifact. */
export interface ArtifactKey {
  /** The model of oidc-provider. */
  kind: string;
  key: Buffer;
}

/**
 * An artifact that was not found by its id has a reference to its row instead of the id, so that it can be changed and
 * deleted. `find` rejects references, because the rows' keys are not secret.
 */
const BY_KEY = "#";

export function isReference(id: string): boolean {
  return id.startsWith(BY_KEY);
}

export function toReference(key: Buffer): string {
  return BY_KEY + key.toString("hex");
}

/** The key of an id, or of a reference. */
export function toKey(id: string): Buffer {
  return isReference(id) ? Buffer.from(id.slice(BY_KEY.length), "hex") : hashSecret(id);
}
