import { domainToASCII } from "node:url";

/**
 * What is wrong with an email address, as the end of a sentence about it; undefined when it is one that mail can be
 * sent to: a single addr-spec of RFC 5321, section 4.1.2, and with UTF-8 as of RFC 6531.
 *
 * Stricter than the RFC, as mail providers and browsers are: the local part is a dot-atom, never quoted, so that no
 * address holds a space, a comma or a second `@`; the domain is a name of two labels or more, because no mail goes to a
 * top-level domain and address literals stand for a machine, not for a person.
 */
export function describeEmailProblem(value: string): string | undefined {
  const at = value.indexOf("@");
  if (at === -1 || at !== value.lastIndexOf("@"))
    return "must be an email address with one @, such as jane@example.com";
  if (Buffer.byteLength(value) > LONGEST_ADDRESS) return `must be at most ${LONGEST_ADDRESS} bytes of UTF-8`;
  return localPartProblem(value.slice(0, at)) ?? domainProblem(value.slice(at + 1));
}

/** Octets: a path has 256, its angle brackets included (RFC 5321, section 4.5.3.1.3). */
const LONGEST_ADDRESS = 254;

/** Octets (RFC 5321, section 4.5.3.1.1). */
const LONGEST_LOCAL_PART = 64;

/** Octets, in the form with A-labels: 255 on the wire (RFC 1035, section 2.3.4), with a length before each label and a root. */
const LONGEST_DOMAIN = 253;
const LONGEST_LABEL = 63;

// Letters of RFC 5322, section 3.2.3, and all beyond ASCII that can be seen: no separator, control or format character
// (which would hide, or reverse the order of, what a person reads), private use or lone surrogate.
const ATOM = /^(?:[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]|[^\p{ASCII}\p{Z}\p{Cc}\p{Cf}\p{Co}\p{Cs}])+$/u;

function localPartProblem(localPart: string): string | undefined {
  if (Buffer.byteLength(localPart) > LONGEST_LOCAL_PART) {
    return `must have at most ${LONGEST_LOCAL_PART} bytes of UTF-8 before the @`;
  }
  if (localPart.split(".").every((atom) => ATOM.test(atom))) return undefined;
  return "must have letters, digits and !#$%&'*+-/=?^_`{|}~ before the @, with single dots between them, and no quotes";
}

const LABEL = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;

function domainProblem(domain: string): string | undefined {
  const labels = domain.split(".");
  // An all-digit last label is that of an IPv4 address. Other forms of a letter or digit (full width, in a circle) are not
  // what a domain name is written with (RFC 5891, section 5.3), though URL parsers replace them.
  const isName =
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? "") &&
    domain.normalize("NFKC") === domain.normalize("NFC");
  // Empty for what IDNA refuses.
  const ascii = isName ? domainToASCII(domain) : "";
  if (!ascii) return "must have a domain name such as example.com after the @";
  if (ascii.length > LONGEST_DOMAIN || ascii.split(".").some((label) => label.length > LONGEST_LABEL)) {
    return `must have a domain name of at most ${LONGEST_DOMAIN} characters and ${LONGEST_LABEL} between dots after the @`;
  }
  return undefined;
}
