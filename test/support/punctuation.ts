/** Addresses and names such as `a:b`, which are the same in each language. */
const NAMES = /\S+:\S+/g;

/** Whether a text that people read breaks the rules of its language for punctuation marks and the spaces before them. */
export function hasWrongPunctuation(language: string, text: string): boolean {
  const words = text.replaceAll(NAMES, "x");
  return (
    /['"]|\.\.\.| {2}| [,.](?!\w)/.test(words) ||
    (language === "fr" ? /(?<!\u00a0):|(?<!\u202f)[;!?]/ : /[\s\u00a0][:;!?]/).test(words) ||
    (language === "es" && /^[^¿]*\?|^[^¡]*!/.test(words))
  );
}
