/**
 * Describes what is wrong with a language tag to be stored, as the end of a sentence about it; undefined if it is
 * well-formed and its canonical form, which is stored, has at most 10 characters (docs/api.md). The canonical form can
 * be longer than the tag: `en-GB-oed` becomes `en-GB-oxendict`.
 */
export function describeStoredLanguageProblem(tag: string): string | undefined {
  const problem = describeLanguageProblem(tag);
  if (problem !== undefined) return problem;
  const canonical = canonicalLanguage(tag);
  if (canonical.length <= LONGEST_STORED) return undefined;
  return `must be at most ${LONGEST_STORED} characters in its canonical form, ${canonical}`;
}

const LONGEST_STORED = 10;

/** Whether a language tag can be stored, and is short enough for the schema. */
export function isStoredLanguage(tag: string): boolean {
  return (
    tag.length <= LONGEST_STORED && isWellFormed(withHyphens(tag)) && canonicalLanguage(tag).length <= LONGEST_STORED
  );
}

/**
 * Describes what is wrong with a language tag, as the end of a sentence about it; undefined if it is well-formed in the
 * sense of BCP 47 (RFC 5646, section 2.2.9). Whether its subtags are registered is not checked, because the registry
 * grows. An underscore counts as a hyphen, as in `en_US` of POSIX and Java.
 *
 * Stricter than the RFC in three points. The language has two or three letters, because longer ones are reserved and
 * none is registered; `german` and `english` are mistakes. At most one extended language follows, because a tag with
 * more of them can never be valid (section 2.2.2). A tag for private use alone, such as `x-klingon`, names no language.
 */
export function describeLanguageProblem(tag: string): string | undefined {
  if (isWellFormed(withHyphens(tag))) return undefined;
  const named = findNamedLanguage(tag);
  const seen = named === undefined ? "" : `; the tag for ${tag} is ${named}`;
  return `must be a BCP 47 language tag, such as de or en-GB${seen}`;
}

/** Finds the tag of a language by its name, such as `german` or `Deutsch`. */
function findNamedLanguage(name: string): string | undefined {
  if (name.length > LONGEST_TAG) return undefined;
  languageNames ??= readLanguageNames();
  return languageNames.get(name.toLowerCase());
}

let languageNames: ReadonlyMap<string, string> | undefined;

/** The two-letter codes of ISO 639-1. */
const CODES =
  "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu " +
  "fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km " +
  "kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om " +
  "or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr " +
  "ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

/** The languages with such a code, by their names in four languages. Takes some 15 ms. */
function readLanguageNames(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const locale of ["en", "de", "fr", "es"]) {
    const display = new Intl.DisplayNames(locale, { type: "language", fallback: "none" });
    for (const tag of CODES.split(" ")) {
      const name = display.of(tag)?.toLowerCase();
      if (name !== undefined && !names.has(name)) names.set(name, canonicalLanguage(tag));
    }
  }
  return names;
}

/**
 * The canonical form of a tag, the same for all its spellings: `EN-gb` → `en-GB`, `iw` → `he`, `zh-yue` → `yue`. It
 * comes from `Intl` (Unicode TR 35, annex C), which agrees with RFC 5646, section 4.5, except for `cmn` → `zh` and the
 * like. It can be longer than the tag: `sh` → `sr-Latn`. Returns a malformed tag unchanged.
 */
export function canonicalLanguage(tag: string): string {
  const hyphenated = withHyphens(tag);
  if (!isWellFormed(hyphenated)) return tag;
  const lower = hyphenated.toLowerCase();
  // The preferred value of an extended language is the subtag itself, as a language (section 3.1.7).
  const plain = GRANDFATHERED.get(lower) ?? lower.replace(/^[a-z]{2,3}-(?=[a-z]{3}(?:-|$))/, "");
  try {
    return Intl.getCanonicalLocales(plain)[0] ?? plain;
  } catch {
    // Intl rejects a few grandfathered tags and some well-formed extensions.
    return plain;
  }
}

function withHyphens(tag: string): string {
  return tag.replaceAll("_", "-");
}

/** Tags with all subtags but extensions have at most 42 characters (RFC 5646, section 4.4.1). Intl takes quadratic time. */
const LONGEST_TAG = 100;

function isWellFormed(tag: string): boolean {
  if (tag.length > LONGEST_TAG) return false;
  if (GRANDFATHERED.has(tag.toLowerCase())) return true;
  if (!LANGTAG.test(tag)) return false;
  // Section 2.2.9: no repeated variant or singleton; after x- anything goes.
  const subtags = tag
    .toLowerCase()
    .replace(/-x-.*$/, "")
    .split("-")
    .slice(1);
  const firstExtension = subtags.findIndex((subtag) => subtag.length === 1);
  const variants = firstExtension === -1 ? subtags : subtags.slice(0, firstExtension);
  const singletons = subtags.filter((subtag) => subtag.length === 1);
  return [variants.filter(isVariant), singletons].every((list) => new Set(list).size === list.length);
}

function isVariant(subtag: string): boolean {
  return subtag.length >= 5 || /^\d.{3}$/.test(subtag);
}

// RFC 5646, section 2.1: language, extended language, script, region, variants, extensions, private use.
// Without the flag u, so that i matches ASCII letters only.
const LANGTAG =
  /^[a-z]{2,3}(?:-[a-z]{3})?(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?$/i;

/**
 * The tags in the closed list of section 2.1 that the grammar above does not match, or matches with a different
 * meaning, with their preferred values in the IANA registry, or the tag itself if it has none.
 */
const GRANDFATHERED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "en-gb-oed": "en-GB-oxendict",
    "i-ami": "ami",
    "i-bnn": "bnn",
    "i-default": "i-default",
    "i-enochian": "i-enochian",
    "i-hak": "hak",
    "i-klingon": "tlh",
    "i-lux": "lb",
    "i-mingo": "i-mingo",
    "i-navajo": "nv",
    "i-pwn": "pwn",
    "i-tao": "tao",
    "i-tay": "tay",
    "i-tsu": "tsu",
    "no-bok": "nb",
    "no-nyn": "nn",
    "sgn-be-fr": "sfb",
    "sgn-be-nl": "vgt",
    "sgn-ch-de": "sgg",
    "zh-min": "zh-min",
    "zh-min-nan": "nan",
  }),
);
