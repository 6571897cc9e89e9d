import { toAccentStyle } from "../../branding/accent-path.ts";
import type { BrandingImages } from "../../branding/create-images.ts";
import { parseImagePath, toImageType } from "../../branding/image-path.ts";
import type { PageRoute } from "../frame/page.ts";
import { problemPage } from "../frame/problem-page.ts";

interface BrandFileParts {
  readonly brandingImages: BrandingImages;
}

/**
 * The route of a file below `/ui/brand/`: an image, or a stylesheet with the colors of a branding. Undefined if the path
 * is neither.
 */
export function findBrandFileRoute(path: string): PageRoute<BrandFileParts> | undefined {
  const style = toAccentStyle(path);
  if (style !== undefined) {
    return {
      get: () => ({ status: 200, headers: { ...HEADERS, "content-type": "text/css; charset=utf-8" }, body: style }),
    };
  }
  const name = parseImagePath(path);
  return (
    (name && {
      async get({ brandingImages }, visit) {
        const image = await brandingImages.find(name);
        if (image === undefined) return problemPage("not-found", visit);
        const type = toImageType(name);
        const headers = type === "image/svg+xml" ? { ...HEADERS, ...SVG_HEADERS } : HEADERS;
        return { status: 200, headers: { ...headers, "content-type": type }, body: image };
      },
    }) ||
    undefined
  );
}

/**
 * The content of a URL never changes. The policy matters only to a browser that opens the file by itself: whatever
 * browsers take it for, it can run and load nothing.
 */
const HEADERS = {
  "cache-control": "public, max-age=31536000, immutable",
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "x-robots-tag": "noindex",
} as const;

/** An SVG file has styles of its own. */
const SVG_HEADERS = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
} as const;
