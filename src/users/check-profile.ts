import type { ImportHumanUserRequest_Profile as Profile } from "../../gen/signet/v1/management_pb.js";
import type { Problems } from "../errors.ts";
import type { ProfilePayload } from "../events/catalogue.ts";
import { canonicalLanguage, describeStoredLanguageProblem } from "../fields/language.ts";
import { cutName, describeNameProblem } from "../fields/name.ts";

type Name = "firstName" | "lastName" | "nickName" | "displayName";

/**
 * Checks the rules of a profile that the schema cannot express, and normalizes its fields.
 *
 * @param path The JSON path of the profile with a trailing dot; empty if its fields are fields of the request.
 */
export function checkProfile(
  profile: Omit<Profile, "$typeName" | "$unknown"> | undefined,
  path: string,
  problems: Problems,
): ProfilePayload {
  const [firstName, lastName] = [toName("firstName"), toName("lastName")];
  const [nickName, displayName] = [toName("nickName"), toName("displayName")];
  const language = profile?.preferredLanguage ?? "";
  const languageProblem = language && describeStoredLanguageProblem(language);
  if (languageProblem) problems.add(`${path}preferredLanguage`, languageProblem);
  return {
    firstName,
    lastName,
    nickName: nickName || null,
    displayName: displayName || cutName(`${firstName} ${lastName}`),
    preferredLanguage: language ? canonicalLanguage(language) : null,
    gender: profile?.gender ?? 0,
  };

  function toName(name: Name): string {
    checkName(`${path}${name}`, profile?.[name] ?? "", problems);
    return profile?.[name].trim() ?? "";
  }
}

/** Checks a name. An empty name counts as absent; the schema defines which names are required. */
export function checkName(field: string, name: string, problems: Problems): void {
  const problem = name && describeNameProblem(name.trim());
  if (problem) problems.add(field, problem);
}
