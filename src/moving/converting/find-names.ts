import { isNoAddress } from "../../fields/no-address.ts";
import type { NameRule } from "../options.ts";
import type { SourceUser } from "../source.ts";

interface Names {
  readonly firstName: string;
  readonly lastName: string;
  /** The rule that has made a name; undefined if both are those of the export. */
  readonly rule?: NameRule;
}

/** What `placeholder` sets: a visible character that nobody takes for a name. */
const PLACEHOLDER = "-";

/**
 * Returns the first and last name of a user, which are required. A name that the export does not have is made only by a rule that
 * was chosen; without one, it is empty.
 */
export function findNames(user: SourceUser, rules: readonly NameRule[]): Names {
  let names = { firstName: user.firstName?.trim() ?? "", lastName: user.lastName?.trim() ?? "" };
  if (isComplete(names)) return names;
  for (const rule of rules) {
    const made = apply(rule, user, names);
    names = { firstName: names.firstName || made.firstName, lastName: names.lastName || made.lastName };
    if (isComplete(names)) return { ...names, rule };
  }
  return names;
}

function isComplete({ firstName, lastName }: Names): boolean {
  return firstName !== "" && lastName !== "";
}

const NONE: Names = { firstName: "", lastName: "" };

function apply(rule: NameRule, user: SourceUser, names: Names): Names {
  switch (rule) {
    case "split":
      return splitName(user, names);
    case "from-email":
      return isNoAddress(user.email ?? "") ? NONE : readAddress(user.email ?? "");
    case "placeholder":
      return { firstName: PLACEHOLDER, lastName: PLACEHOLDER };
    default:
      return rule satisfies never;
  }
}

/** Splits the name to show, or the only name that there is, before its last word. */
function splitName({ displayName = "" }: SourceUser, { firstName, lastName }: Names): Names {
  const [, first = "", last = ""] = /^(.+)\s(\S+)$/s.exec((displayName.trim() || firstName || lastName).trim()) ?? [];
  if (first === "") return NONE;
  // A single name that is split must not stay whole beside its part.
  return { firstName: firstName === "" ? first.trim() : firstName, lastName: lastName === "" ? last : lastName };
}

/** Reads `ada.lovelace@example.com` as Ada Lovelace. */
function readAddress(email: string): Names {
  const words = email
    .slice(0, Math.max(0, email.lastIndexOf("@")))
    .split(/[._+-]+/)
    .map((word) => word.replace(/\d+$/, ""))
    .filter((word) => /^\p{L}{2,}$/u.test(word))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const [first = "", ...others] = words;
  return others.length === 0 ? NONE : { firstName: first, lastName: others.join(" ") };
}
