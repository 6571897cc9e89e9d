import type { ImportHumanUserRequest } from "../../../gen/signet/v1/management_pb.js";
import type { Violation } from "../../errors.ts";

/** The rules of ImportHumanUser that can be checked without a call. A browser knows fewer of them than the service. */
export interface ImportRules {
  /**
   * Reads a phone number as E.164; null if it is none.
   *
   * @param region ISO 3166-1 code, for national numbers.
   */
  readPhone(entered: string, region: string | undefined): string | null;
  /** Finds what is wrong with a request. */
  findProblems(request: ImportHumanUserRequest): Promise<readonly Violation[]>;
}
