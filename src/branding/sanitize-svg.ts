import sanitizeHtml from "sanitize-html";
import { countDrawn, type DrawnElement } from "./count-drawn.ts";
import { isSafeAttribute, REMOVED_WITH_CONTENT, SVG_ATTRIBUTES, SVG_ELEMENTS, SVG_STYLES } from "./svg-rules.ts";

export type Svg = { readonly data: Buffer } | { readonly problem: string };

/** As for the file before. */
const MAX_BYTES = 512_000;

/** Elements that a browser draws: it copies what is referred to, so a small file can contain any number of them. */
const MAX_DRAWN = 50_000;

const MAX_DEPTH = 50;

/** What changes how a logo looks is refused, rather than removed without a word. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ["style", "must not contain <style>: export the file with presentation attributes"],
  ["image", "must not contain <image>: export the file without embedded or linked images"],
]);

const NAMESPACES = { xmlns: "http://www.w3.org/2000/svg", "xmlns:xlink": "http://www.w3.org/1999/xlink" };

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [...SVG_ELEMENTS],
  allowedAttributes: { "*": [...SVG_ATTRIBUTES], svg: Object.keys(NAMESPACES) },
  allowedStyles: { "*": SVG_STYLES },
  allowedSchemes: [],
  allowProtocolRelative: false,
  disallowedTagsMode: "completelyDiscard",
  nonTextTags: [...REMOVED_WITH_CONTENT],
  // An attribute without a value is not XML.
  nonBooleanAttributes: ["*"],
  selfClosing: [],
  transformTags: {
    "*": (tagName, attribs) => {
      const safe = Object.entries(attribs).filter(([name, value]) => isSafeAttribute(name, value));
      return { tagName, attribs: Object.fromEntries([...safe, ...(tagName === "svg" ? ROOT : [])]) };
    },
  },
  parser: { xmlMode: true, decodeEntities: true },
};

const ROOT = Object.entries(NAMESPACES);

/**
 * Returns an SVG file without scripts, event handlers, links to other files, animations, and everything else that is not
 * in the lists of `svg-rules.ts`, or what is wrong with it, as the end of a sentence about it.
 *
 * Takes up to a second: it runs in a worker thread.
 */
export function sanitizeSvg(file: Uint8Array): Svg {
  const text = decode(file);
  if (text === undefined) return { problem: "must be an SVG file in UTF-8" };
  const dirty = sanitize(text);
  if ("problem" in dirty) return dirty;
  const clean = trim(dirty.text);
  const data = Buffer.from(clean);
  if (data.length > MAX_BYTES) return { problem: `must be at most ${MAX_BYTES} bytes long, is ${data.length}` };
  const { roots, isStable } = survey(clean);
  const [root] = roots;
  if (root?.name !== "svg" || roots.length > 1 || !isStable || CONTROL.test(clean)) {
    return { problem: "must be an SVG file with one <svg>" };
  }
  if (countDrawn(root) > MAX_DRAWN) {
    return {
      problem: `must draw at most ${MAX_DRAWN} elements, with those that it refers to, and not refer to itself`,
    };
  }
  return { data };
}

/** Stops the parser at the first problem: its time grows with the square of the depth. */
class Refused extends Error {}

function sanitize(text: string): { readonly text: string } | { readonly problem: string } {
  let depth = 0;
  const onOpenTag = (name: string) => {
    const problem = REFUSED.get(name);
    if (problem !== undefined) throw new Refused(problem);
    depth += 1;
    if (depth > MAX_DEPTH) throw new Refused(`must not be nested more than ${MAX_DEPTH} levels deep`);
  };
  const onCloseTag = () => {
    depth -= 1;
  };
  try {
    return { text: sanitizeHtml(text, { ...OPTIONS, onOpenTag, onCloseTag }) };
  } catch (error) {
    if (error instanceof Refused) return { problem: error.message };
    throw error;
  }
}

/** Characters that XML does not allow. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

function decode(file: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file);
  } catch {
    return undefined;
  }
}

/** Drops what surrounds the root: in the sanitized text, `<` and `>` are only those of tags. */
function trim(text: string): string {
  return text.slice(Math.max(text.indexOf("<"), 0), text.lastIndexOf(">") + 1);
}

/**
 * Reads the result once more, as a browser does. If anything in it would be removed now, the first pass took the file for
 * something else than the second.
 */
function survey(clean: string): { readonly roots: readonly DrawnElement[]; readonly isStable: boolean } {
  const roots: DrawnElement[] = [];
  const open: DrawnElement[] = [];
  const again = sanitizeHtml(clean, {
    ...OPTIONS,
    onOpenTag: (name, attributes) => {
      const element = { name, attributes: { ...attributes }, children: [] };
      (open.at(-1)?.children ?? roots).push(element);
      open.push(element);
    },
    onCloseTag: () => {
      open.pop();
    },
  });
  return { roots, isStable: again === clean };
}
