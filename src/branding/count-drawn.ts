import { referencesIn } from "./svg-rules.ts";

/** An element of an SVG file. */
export interface DrawnElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: DrawnElement[];
}

/** How often an element can refer to one that refers to another. */
const MAX_CHAIN = 1_000;

/**
 * Counts the elements that a browser draws for an SVG file: those in it, and for each reference (`use`, `fill`, `mask` and
 * others) once more what it refers to.
 *
 * @returns Infinity if an element refers to itself, also through others, or through more than a thousand others.
 */
export function countDrawn(root: DrawnElement): number {
  const byId = new Map<string, DrawnElement>();
  const index = (element: DrawnElement) => {
    const { id } = element.attributes;
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
    element.children.forEach(index);
  };
  index(root);

  const counts = new Map<DrawnElement, number>();
  function count(element: DrawnElement, depth: number): number {
    const known = counts.get(element);
    if (known !== undefined) return known;
    if (depth > MAX_CHAIN) return Infinity;
    // An element that is reached again before it is counted refers to itself.
    counts.set(element, Infinity);
    const referred = Object.entries(element.attributes)
      .flatMap(([name, value]) => referencesIn(name, value))
      .flatMap((id) => byId.get(id) ?? []);
    const total = [...element.children, ...referred].reduce((sum, next) => sum + count(next, depth + 1), 1);
    counts.set(element, total);
    return total;
  }
  return count(root, 0);
}
