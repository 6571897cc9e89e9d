import { posix } from "node:path";

import { GUIDE } from "../../../src/web/guide/create-guide.ts";

/** Pages whose path differs from their name. */
const PATHS: ReadonlyMap<string, string> = new Map([
  ["docs/README.md", GUIDE],
  ["README.md", `${GUIDE}/start`],
  ["CHANGELOG.md", `${GUIDE}/changelog`],
  // `docs/console.md` has the other path.
  ["console/README.md", `${GUIDE}/code-of-the-console`],
]);

/** The path of a repository file in the guide: `docs/api.md` is at `/docs/guide/api`. */
export function toGuidePath(file: string): string {
  const name = file.replace(/^docs\//, "").replace(/(\/README)?\.md$/, "");
  return PATHS.get(file) ?? `${GUIDE}/${name}`;
}

/** A relative link of a page, resolved. */
interface LocalLink {
  /** Relative to the root of the repository. */
  readonly file: string;
  /** `#` and the anchor, or nothing. */
  readonly anchor: string;
}

/**
 * Resolves a link of a page. Undefined for links to other sites.
 *
 * @throws Error for a link that leaves the repository.
 */
export function resolveLink(page: string, target: string): LocalLink | undefined {
  if (/^[a-z][a-z+.-]*:/i.test(target)) return undefined;
  const [path = "", anchor] = target.split("#", 2);
  const file = path === "" ? page : posix.join(posix.dirname(page), path);
  if (path.startsWith("/") || file.startsWith("../")) throw new Error(`${page}: ${target} leaves the repository`);
  return { file, anchor: anchor === undefined ? "" : `#${anchor}` };
}
