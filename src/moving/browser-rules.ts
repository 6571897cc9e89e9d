import type { ImportHumanUserRequest } from "../../gen/signet/v1/management_pb.js";
import type { Violation } from "../errors.ts";
import { createPhoneReader, type Phones } from "../fields/phone-reader.ts";
import { checkPersonalFields } from "../users/import/check-personal-fields.ts";
import type { ImportRules } from "./converting/import-rules.ts";

/**
 * The rules that a browser can check: those of who the user is. The service checks the others, such as those of password hashes, when it
 * imports the user.
 */
export function createBrowserRules(phones: Phones): ImportRules {
  const { parsePhone, readPhone } = createPhoneReader(() => phones);
  return {
    readPhone,
    async findProblems(request: ImportHumanUserRequest) {
      const violations: Violation[] = [];
      checkPersonalFields(
        request,
        { parsePhone },
        { add: (field, description) => violations.push({ field, description }) },
      );
      return violations;
    },
  };
}
