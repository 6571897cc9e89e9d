import {
  checkImportHumanUser,
  type HumanRequest,
  type HumanToImport,
} from "../users/import/check-import-human-user.ts";

/** What a person enters to register. */
export interface PersonFields {
  readonly userName: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** The fields of a person whose address nobody has verified yet. */
export interface RegistrationFields extends PersonFields {
  readonly email: string;
}

const PATHS: Readonly<Record<string, keyof RegistrationFields>> = {
  userName: "userName",
  "profile.firstName": "firstName",
  "profile.lastName": "lastName",
  "email.email": "email",
};

/**
 * Checks what a person has entered by the rules of ImportHumanUser. Both names are required.
 *
 * @returns Also the missing or invalid fields.
 * @throws Error for a problem of anything else, which the person cannot solve.
 */
export function checkEntered(entered: Pick<HumanRequest, "userName" | "profile" | "email" | "idps">): {
  readonly human: HumanToImport;
  readonly invalid: Set<keyof RegistrationFields>;
} {
  const invalid = new Set<keyof RegistrationFields>();
  for (const name of ["firstName", "lastName"] as const) if (!entered.profile?.[name].trim()) invalid.add(name);
  const problems = {
    add(path: string, description: string) {
      const field = PATHS[path];
      if (field === undefined) throw new Error(`${path}: ${description}`);
      invalid.add(field);
    },
  };
  const nothingElse = { passwordChangeRequired: false, requestPasswordlessRegistration: false, otpCode: "" };
  return { human: checkImportHumanUser({ ...entered, ...nothingElse }, problems), invalid };
}
