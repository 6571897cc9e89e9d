import { createHash } from "node:crypto";
import type { Problems } from "../errors.ts";
import { toSvgName } from "./image-path.ts";
import { IMAGES, type LabelImages } from "./label-settings.ts";
import { readPng } from "./read-png.ts";

/** An image to store. */
export interface UploadedImage {
  readonly image: keyof LabelImages;
  /** SHA-256 of `data` in base64url; for an SVG file, with the extension `.svg`. */
  readonly hash: string;
  readonly data: Buffer;
}

/** An image that is ready to be stored, or an SVG file that is not sanitized yet. */
export type CheckedImage = UploadedImage | { readonly image: keyof LabelImages; readonly svg: Uint8Array };

/** Checks an uploaded image. The numbers of `image` are those of `LabelPolicyImage`, which begin with 1. */
export function checkLabelImage(
  request: { readonly image: number; readonly data: Uint8Array },
  problems: Problems,
): CheckedImage {
  const image = IMAGES[request.image - 1] ?? "logo";
  if (isMarkup(request.data)) return { image, svg: request.data };
  const read = readPng(request.data);
  if ("problem" in read && request.data.length > 0) problems.add("data", read.problem);
  const data = "data" in read ? read.data : Buffer.alloc(0);
  return { image, hash: toHash(data), data };
}

/** A sanitized SVG file to store. */
export function toSvgImage(image: keyof LabelImages, data: Buffer): UploadedImage {
  return { image, hash: toSvgName(toHash(data)), data };
}

/** Whether a file begins with a tag or a declaration, perhaps after a byte order mark and white space. */
function isMarkup(file: Uint8Array): boolean {
  return /^(?:\xef\xbb\xbf)?\s*</.test(Buffer.from(file.subarray(0, 1_000)).toString("latin1"));
}

function toHash(data: Buffer): string {
  return createHash("sha256").update(data).digest("base64url");
}
