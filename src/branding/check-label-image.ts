import { createHash } from "node:crypto";
import type { Problems } from "../errors.ts";
import { IMAGES, type LabelImages } from "./label-settings.ts";
import { readPng } from "./read-png.ts";

/** An image to store. */
export interface UploadedImage {
  readonly image: keyof LabelImages;
  /** SHA-256 of `data` in base64url. */
  readonly hash: string;
  /** A PNG file. */
  readonly data: Buffer;
}

/** Checks an uploaded image. The numbers of `image` are those of `LabelPolicyImage`, which begin with 1. */
export function checkLabelImage(
  request: { readonly image: number; readonly data: Uint8Array },
  problems: Problems,
): UploadedImage {
  const read = readPng(request.data);
  if ("problem" in read && request.data.length > 0) problems.add("data", read.problem);
  const data = "data" in read ? read.data : Buffer.alloc(0);
  const hash = createHash("sha256").update(data).digest("base64url");
  return { image: IMAGES[request.image - 1] ?? "logo", hash, data };
}
