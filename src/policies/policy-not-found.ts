import { SignetError } from "../errors.ts";

export function policyNotFound(): SignetError {
  return new SignetError(
    "POLICY_NOT_FOUND",
    "the organization has no login policy of its own; it inherits that of the instance",
  );
}
