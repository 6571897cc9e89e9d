const SVG = ".svg";
const PNG = ".png";

/** The name under which an SVG file is stored: its hash alone is that of a PNG file. */
export function toSvgName(hash: string): string {
  return `${hash}${SVG}`;
}

/** The path of a stored image. It contains the hash of the content, so browsers can cache it forever. */
export function toImagePath(name: string): string {
  return `/ui/brand/${name}${name.endsWith(SVG) ? "" : PNG}`;
}

/** The content type of a stored image. */
export function toImageType(name: string): "image/svg+xml" | "image/png" {
  return name.endsWith(SVG) ? "image/svg+xml" : "image/png";
}

/** The name of the stored image in a path; undefined for any other path. */
export function parseImagePath(path: string): string | undefined {
  const [, hash, extension] = /^\/ui\/brand\/([\w-]{43})(\.png|\.svg)$/.exec(path) ?? [];
  if (hash === undefined) return undefined;
  return extension === SVG ? toSvgName(hash) : hash;
}
