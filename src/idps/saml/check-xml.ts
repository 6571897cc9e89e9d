import { DOMParser } from "@xmldom/xmldom";

/** What is wrong with a document. The message contains no part of an assertion. */
export class SamlError extends Error {
  override readonly name = "SamlError";
}

/** Nesting that no document of a provider has. Deeper ones would exhaust the stack of recursive algorithms. */
const MAX_DEPTH = 50;

/**
 * Parses XML without a document type, and so without entities: neither external ones nor those that expand.
 *
 * @param allowsComments Otherwise, comments, CDATA sections and processing instructions are refused. They are not part
 *   of what is signed, or split a text into several, of which a reader may take the first.
 * @throws SamlError
 */
export function parseXml(bytes: Uint8Array, allowsComments: boolean): Document {
  const text = decode(bytes);
  const body = text.replace(/^<\?xml\s[^<>]*\?>/, "");
  if (/<!(?!--|\[CDATA\[)/.test(body)) throw new SamlError("must not have a document type");
  if (!allowsComments && /<[!?]/.test(body)) {
    throw new SamlError("must not have comments, CDATA sections or processing instructions");
  }
  checkDepth(body);
  const fail = (message: string) => {
    throw new SamlError(`must be XML: ${message.split("\n")[0]?.slice(0, 200)}`);
  };
  const document = new DOMParser({ errorHandler: { warning: fail, error: fail, fatalError: fail } }).parseFromString(
    text,
    "text/xml",
  );
  if (!document?.documentElement) throw new SamlError("must be XML");
  return document;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new SamlError("must be XML in UTF-8");
  }
}

/** Counts tags, before anything recurses. Tags in comments make a document look deeper than it is. */
function checkDepth(text: string): void {
  let depth = 0;
  for (const [tag] of text.matchAll(/<(?:\/|[^\s!?/>])[^>]*>/g)) {
    if (tag.startsWith("</")) depth -= 1;
    else if (!tag.endsWith("/>")) depth += 1;
    if (depth > MAX_DEPTH) throw new SamlError(`must not be nested more than ${MAX_DEPTH} levels deep`);
  }
}

/** The elements with this name among the children. */
export function childrenOf(parent: Element, namespace: string, name: string): Element[] {
  return Array.from(parent.childNodes).filter(
    (node): node is Element =>
      node.nodeType === node.ELEMENT_NODE &&
      (node as Element).namespaceURI === namespace &&
      (node as Element).localName === name,
  );
}

/** All elements with this name in any namespace, at any depth. */
export function allNamed(document: Document, name: string): Element[] {
  return Array.from(document.getElementsByTagNameNS("*", name));
}

/** The text of an element that contains nothing else, without white space around it. */
export function textOf(element: Element): string {
  const children = Array.from(element.childNodes);
  if (children.some((node) => node.nodeType === node.ELEMENT_NODE)) return "";
  return (element.textContent ?? "").trim();
}
