/**
 * Describes what is wrong with an email address, as the end of a sentence about it; undefined for a single addr-spec of
 * RFC 5321, section 4.1.2, with UTF-8 as in RFC 6531.
 *
 * Stricter than the RFC, like mail providers and browsers. The local part is a dot-atom, never quoted, so an address
 * contains no space, comma or second `@`. The domain has at least two labels, because mail is not delivered to
 * top-level domains, and is not an address literal.
 */
export function describeEmailProblem(value: string): string | undefined {
  const at = value.indexOf("@");
  if (at === -1 || at !== value.lastIndexOf("@"))
    return "must be an email address with one @, such as jane@example.com";
  if (lengthInBytes(value) > LONGEST_ADDRESS) return `must be at most ${LONGEST_ADDRESS} bytes of UTF-8`;
  return localPartProblem(value.slice(0, at)) ?? domainProblem(value.slice(at + 1));
}

/** Octets: a path has 256, including its angle brackets (RFC 5321, section 4.5.3.1.3). */
const LONGEST_ADDRESS = 254;

/** Octets (RFC 5321, section 4.5.3.1.1). */
const LONGEST_LOCAL_PART = 64;

/**
 * Octets with A-labels: 255 on the wire (RFC 1035, section 2.3.4), which include a length before each label and the
 * root.
 */
const LONGEST_DOMAIN = 253;
const LONGEST_LABEL = 63;

// The characters in RFC 5322, section 3.2.3, and visible non-ASCII ones. Separators, control and format characters,
// private-use characters and lone surrogates could hide or reorder text.
const ATOM = /^(?:[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]|[^\p{ASCII}\p{Z}\p{Cc}\p{Cf}\p{Co}\p{Cs}])+$/u;

function localPartProblem(localPart: string): string | undefined {
  if (lengthInBytes(localPart) > LONGEST_LOCAL_PART) {
    return `must have at most ${LONGEST_LOCAL_PART} bytes of UTF-8 before the @`;
  }
  if (localPart.split(".").every((atom) => ATOM.test(atom))) return undefined;
  return "must have only letters, digits and !#$%&'*+-/=?^_`{|}~ before the @, with single dots between them";
}

const LABEL = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;

function domainProblem(domain: string): string | undefined {
  const labels = domain.split(".");
  // An all-digit last label belongs to an IPv4 address. Compatibility forms of a letter or digit, such as full-width
  // ones, are not valid in a domain name (RFC 5891, section 5.3), although URL parsers replace them.
  const isName =
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? "") &&
    domain.normalize("NFKC") === domain.normalize("NFC");
  // Empty if IDNA rejects the name.
  const ascii = isName ? domainToAscii(domain) : "";
  if (!ascii) return "must have a domain name such as example.com after the @";
  if (ascii.length > LONGEST_DOMAIN || ascii.split(".").some((label) => label.length > LONGEST_LABEL)) {
    return `must have a domain name of at most ${LONGEST_DOMAIN} characters and ${LONGEST_LABEL} between dots after the @`;
  }
  return undefined;
}

/** Empty if IDNA rejects the domain, which consists of labels. */
function domainToAscii(domain: string): string {
  const url = `http://${domain}`;
  return URL.canParse(url) ? new URL(url).hostname : "";
}

function lengthInBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
