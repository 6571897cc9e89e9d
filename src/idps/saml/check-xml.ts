import { DOMParser } from "@xmldom/xmldom";

/** What is wrong with a document. The message contains no part of an assertion. */
export class SamlError extends Error {
  override readonly name = "SamlError";
}

/** Nesting that no document of a provider has. Deeper ones would exhaust the stack of what reads the document. */
const MAX_DEPTH = 50;
/**
 * A response in the largest form has fewer, even with a thousand values of attributes. Verifying its signature takes
 * time quadratic in them: with 11,000 elements, 2 s for each certificate.
 */
const MAX_ELEMENTS = 1_500;

/**
 * Parses XML without a document type, and so without entities: neither external ones nor those that expand.
 *
 * @param allowsComments Otherwise, comments, CDATA sections and processing instructions are refused. They are not part
 *   of what is signed, or split a text into several, of which a reader may take the first. So is what takes long to
 *   verify.
 * @throws SamlError
 */
export function parseXml(bytes: Uint8Array, allowsComments: boolean): Document {
  const text = decode(bytes);
  const body = text.replace(/^<\?xml\s[^<>]*\?>/, "");
  if (/<!(?!--|\[CDATA\[)/.test(body)) throw new SamlError("must not have a document type");
  if (!allowsComments && /<[!?]/.test(body)) {
    throw new SamlError("must not have comments, CDATA sections or processing instructions");
  }
  // With positions, as node-saml and xml-crypto parse, the parser takes time quadratic in the line that it ends.
  if (!allowsComments && body.includes("\u2029")) throw new SamlError("must not have the character U+2029");
  const fail = (message: string) => {
    throw new SamlError(`must be XML: ${message.split("\n")[0]?.slice(0, 200)}`);
  };
  const document = new DOMParser({ errorHandler: { warning: fail, error: fail, fatalError: fail } }).parseFromString(
    text,
    "text/xml",
  );
  if (!document?.documentElement) throw new SamlError("must be XML");
  checkElements(document.documentElement, allowsComments ? Number.POSITIVE_INFINITY : MAX_ELEMENTS);
  return document;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new SamlError("must be XML in UTF-8");
  }
}

/** Level by level. Tags are not counted in the text, because the parser ignores end tags that do not match. */
function checkElements(root: Element, max: number): void {
  let level = [root];
  for (let depth = 1, count = 1; level.length > 0; depth += 1, count += level.length) {
    if (depth > MAX_DEPTH) throw new SamlError(`must not be nested more than ${MAX_DEPTH} levels deep`);
    if (count > max) throw new SamlError(`must have at most ${max} elements`);
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
  return (element.textContent ?? "").trim();
}
