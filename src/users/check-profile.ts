import { mapProfile, type ProfileFields, type ProfilePayload } from "../database/profile.ts";
import { addProblem, type Problems } from "../errors.ts";
import { canonicalLanguage, describeStoredLanguageProblem } from "../fields/language.ts";
import { cutName, describeNameProblem } from "../fields/name.ts";
import { trimText } from "../fields/trim-text.ts";

/**
 * Checks the rules of a profile that the schema cannot express, and normalizes its fields.
 *
 * @param path The JSON path of the profile with a trailing dot; empty if its fields are fields of the request.
 */
export function checkProfile(profile: ProfileFields | undefined, path: string, problems: Problems): ProfilePayload {
  const checked = mapProfile<ProfilePayload>((name, { rule, isOptional }) => {
    const given = profile?.[name] ?? "";
    const isRequired = name === "firstName" || name === "lastName";
    if (typeof given === "number" || rule === "number") return given || 0;
    const text = rule === "language" ? checkLanguage(`${path}${name}`, given.trim()) : trimText(given);
    // The schema rejects an empty one.
    if (isRequired && given !== "" && text === "") problems.add(`${path}${name}`, "must not be empty");
    if (rule === "name") checkName(`${path}${name}`, text, problems);
    return isOptional ? text || null : text;
  });
  const { firstName, lastName, displayName } = checked;
  return { ...checked, displayName: displayName || cutName(`${firstName} ${lastName}`) };

  function checkLanguage(field: string, tag: string): string {
    addProblem(problems, field, tag && describeStoredLanguageProblem(tag));
    return canonicalLanguage(tag);
  }
}

/** Checks a trimmed name. An empty name counts as absent. */
export function checkName(field: string, name: string, problems: Problems): void {
  addProblem(problems, field, name && describeNameProblem(name));
}
