/** The path of an image. It contains the hash of the content, so browsers can cache it forever. */
export function toImagePath(hash: string): string {
  return `/ui/brand/${hash}.png`;
}

/** The hash in the path of an image; undefined for any other path. */
export function parseImagePath(path: string): string | undefined {
  return /^\/ui\/brand\/([\w-]{43})\.png$/.exec(path)?.[1];
}
