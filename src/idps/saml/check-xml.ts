import { DOMParser } from "@xmldom/xmldom";
import { trimXmlSpace } from "../../fields/trim-xml-space.ts";

/** What is wrong with a document. The message contains no part of an assertion. */
export class SamlError extends Error {
  override readonly name = "SamlError";
}

/** Nesting that no document of a provider has. Deeper ones would exhaust the stack of what reads the document. */
const MAX_DEPTH = 50;

/** How much work a document may cause. */
interface XmlLimits {
  /** As metadata may have them. Otherwise, comments, CDATA sections and processing instructions are refused. */
  readonly allowsComments: boolean;
  readonly maxElements: number;
  /** Of all elements. */
  readonly maxAttributes: number;
}

/** The metadata of one provider have hundreds of elements. */
export const METADATA_LIMITS: XmlLimits = {
  allowsComments: true,
  maxElements: 5_000,
  maxAttributes: Number.POSITIVE_INFINITY,
};
/** Verifying a signature takes time quadratic in both: with 11,000 elements, 2 s for each certificate. */
export const RESPONSE: XmlLimits = { allowsComments: false, maxElements: 1_500, maxAttributes: 1_500 };
/** Each of thousands of values may declare two namespaces and a type. */
export const LARGE_RESPONSE: XmlLimits = { allowsComments: false, maxElements: 4_000, maxAttributes: 12_000 };
/** Of elements. The parser searches the whole document for each: with 49,000 names in 490 KB, it took 6.5 s. */
const MAX_NAMES = 200;
/** Characters. For each end tag that does not match, the parser converts the name of the open element to lowercase. */
const LONGEST_NAME = 200;

/**
 * Parses XML without a document type, and so without entities: neither external ones nor those that expand. Comments,
 * CDATA sections and processing instructions are not part of what is signed, or split a text into several, of which a
 * reader may take the first.
 *
 * @throws SamlError
 */
export function parseXml(bytes: Uint8Array, { allowsComments, maxElements, maxAttributes }: XmlLimits): Document {
  const text = decode(bytes);
  const body = text.replace(/^<\?xml\s[^<>]*\?>/, "");
  if (/<!(?!--|\[CDATA\[)/.test(body)) throw new SamlError("must not have a document type");
  if (!allowsComments && /<[!?]/.test(body)) {
    throw new SamlError("must not have comments, CDATA sections or processing instructions");
  }
  // With positions, as node-saml and xml-crypto parse, the parser takes time quadratic in the line that it ends.
  if (!allowsComments && body.includes("\u2029")) throw new SamlError("must not have the character U+2029");
  checkEnds(body);
  checkTags(body, maxElements);
  const fail = (message: string) => {
    throw new SamlError(`must be XML: ${message.split("\n")[0]?.slice(0, 200)}`);
  };
  const document = new DOMParser({ errorHandler: { warning: fail, error: fail, fatalError: fail } }).parseFromString(
    text,
    "text/xml",
  );
  if (!document?.documentElement) throw new SamlError("must be XML");
  checkElements(document.documentElement, maxAttributes);
  return document;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new SamlError("must be XML in UTF-8");
  }
}

/** Where one of these does not end, the parser continues behind its start, and searches the text again for each. */
function checkEnds(text: string): void {
  const isOpen = (start: string, end: string) => text.lastIndexOf(start) > text.lastIndexOf(end);
  if (isOpen("<?", "?>")) throw new SamlError("must be XML: a processing instruction does not end");
  if (isOpen("<![CDATA[", "]]>")) throw new SamlError("must be XML: a CDATA section does not end");
}

/** Counts before the parser reads the text, in linear time. What looks like a tag in a comment counts too. */
function checkTags(text: string, max: number): void {
  const names = new Set<string>();
  let count = 0;
  for (const [tag] of text.matchAll(/<[^ \t\r\n<>/!?]+/g)) {
    count += 1;
    names.add(tag);
    if (count > max) throw new SamlError(`must have at most ${max} elements`);
    if (names.size > MAX_NAMES) throw new SamlError(`must have at most ${MAX_NAMES} different names of elements`);
    if (tag.length > LONGEST_NAME + 1) {
      throw new SamlError(`must have names of elements of at most ${LONGEST_NAME} characters`);
    }
  }
}

/** Level by level. Nesting is not counted in the text, because the parser ignores end tags that do not match. */
function checkElements(root: Element, maxAttributes: number): void {
  let level = [root];
  let attributes = 0;
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw new SamlError(`must not be nested more than ${MAX_DEPTH} levels deep`);
    attributes = level.reduce((sum, element) => sum + element.attributes.length, attributes);
    if (attributes > maxAttributes) throw new SamlError(`must have at most ${maxAttributes} attributes`);
    level = level.flatMap(elementsIn);
  }
}

function elementsIn(parent: Element): Element[] {
  return Array.from(parent.childNodes).filter((node): node is Element => node.nodeType === node.ELEMENT_NODE);
}

/** The elements with this name among the children. */
export function childrenOf(parent: Element, namespace: string, name: string): Element[] {
  return elementsIn(parent).filter(({ namespaceURI, localName }) => namespaceURI === namespace && localName === name);
}

/** All elements with this name in any namespace, at any depth. */
export function allNamed(document: Document, name: string): Element[] {
  return Array.from(document.getElementsByTagNameNS("*", name));
}

/** The text of an element that contains nothing else, without white space around it. */
export function textOf(element: Element): string {
  if (elementsIn(element).length > 0) return "";
  return trimXmlSpace(element.textContent ?? "");
}
