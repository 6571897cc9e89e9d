/** The elements of SVG that can neither run, load, animate, nor contain anything but SVG. */
export const SVG_ELEMENTS: readonly string[] = [
  ...["svg", "g", "defs", "symbol", "use", "title", "desc"],
  ...["path", "rect", "circle", "ellipse", "line", "polyline", "polygon"],
  ...["text", "tspan", "textPath"],
  ...["linearGradient", "radialGradient", "stop", "pattern", "clipPath", "mask", "marker", "filter"],
  ...["feBlend", "feColorMatrix", "feComponentTransfer", "feComposite", "feDropShadow", "feFlood", "feGaussianBlur"],
  ...["feFuncA", "feFuncB", "feFuncG", "feFuncR", "feMerge", "feMergeNode", "feMorphology", "feOffset"],
];

/** Elements that are removed with all that they contain. */
export const REMOVED_WITH_CONTENT: readonly string[] = ["script", "style", "foreignObject", "metadata", "image"];

/** Properties that are attributes, or part of the attribute `style`. */
const PROPERTIES: readonly string[] = [
  ...["color", "display", "visibility", "overflow", "opacity", "clip-path", "clip-rule", "mask", "filter"],
  ...["fill", "fill-opacity", "fill-rule", "paint-order", "vector-effect", "shape-rendering", "text-rendering"],
  ...["stroke", "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit"],
  ...["stroke-opacity", "stroke-width", "stop-color", "stop-opacity", "flood-color", "flood-opacity"],
  ...["marker", "marker-start", "marker-mid", "marker-end", "color-interpolation", "color-interpolation-filters"],
  ...["font-family", "font-size", "font-stretch", "font-style", "font-variant", "font-weight", "letter-spacing"],
  ...["word-spacing", "text-anchor", "text-decoration", "dominant-baseline", "alignment-baseline", "baseline-shift"],
];

const STYLE_ONLY: readonly string[] = [
  ...["isolation", "mix-blend-mode", "mask-type", "line-height", "transform", "transform-box", "transform-origin"],
];

export const SVG_ATTRIBUTES: readonly string[] = [
  ...PROPERTIES,
  ...["id", "style", "transform", "href", "xlink:href", "xml:space", "viewBox", "preserveAspectRatio"],
  ...["x", "y", "x1", "y1", "x2", "y2", "dx", "dy", "cx", "cy", "r", "rx", "ry", "fx", "fy", "fr", "width", "height"],
  ...["d", "points", "pathLength", "rotate", "textLength", "lengthAdjust", "startOffset", "offset", "spreadMethod"],
  ...["gradientUnits", "gradientTransform", "patternUnits", "patternContentUnits", "patternTransform"],
  ...["clipPathUnits", "maskUnits", "maskContentUnits", "filterUnits", "primitiveUnits", "mask-type"],
  ...["markerUnits", "markerWidth", "markerHeight", "orient", "refX", "refY"],
  ...["in", "in2", "result", "stdDeviation", "mode", "operator", "k1", "k2", "k3", "k4", "type", "values", "radius"],
  ...["tableValues", "slope", "intercept", "amplitude", "exponent"],
];

/**
 * A value of CSS that is not kept: with a backslash, with a function that does more than compute a color or a place, or
 * with a URL that does not refer to the file itself.
 */
const UNSAFE_VALUE =
  /\\|\((?<!\b(?:rgba?|hsla?|matrix|translate[xy]?|scale[xy]?|rotate|skew[xy])\()(?<!\burl\()|url\((?!["']?#)/i;

const SAFE_VALUE = new RegExp(`^(?![^]*(?:${UNSAFE_VALUE.source}))`, "i");

/** The properties that the attribute `style` may have, with the rule for their values. */
export const SVG_STYLES: Readonly<Record<string, RegExp[]>> = Object.fromEntries(
  [...PROPERTIES, ...STYLE_ONLY].map((property) => [property, [SAFE_VALUE]]),
);

/** Whether the value of an attribute is kept. The attribute `style` has rules of its own. */
export function isSafeAttribute(name: string, value: string): boolean {
  if (name === "href" || name === "xlink:href") return /^#[^\s#]+$/.test(value);
  return name === "style" || !UNSAFE_VALUE.test(value);
}

/** The elements of the file to which an attribute refers. */
export function referencesIn(name: string, value: string): string[] {
  if (name === "href" || name === "xlink:href") return [value.slice(1)];
  return [...value.matchAll(/url\(["']?#([^"')]*)/gi)].map(([, id = ""]) => id);
}
