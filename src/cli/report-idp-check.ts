import type { IdpCheck } from "../sign-in/check-idp.ts";
import { print } from "./print.ts";

interface CheckedIdp {
  readonly id: string;
  readonly name: string;
}

interface ReportedCheck extends Omit<IdpCheck, "supportedScopes"> {
  /** The URL to register at the provider. */
  readonly callbackUrl: string;
}

/** Prints the findings about a provider; the exit code is then 1 if users cannot sign in with it. */
export function reportIdpCheck(
  asJson: boolean,
  { id, name }: CheckedIdp,
  { problems, metadata, warnings, isComplete, callbackUrl }: ReportedCheck,
): void {
  const result = isComplete ? "no problems" : "no problems in what was checked";
  print(asJson, { id, name, problems, warnings, metadata, callbackUrl }, [
    ...Object.entries(metadata).map(([member, value]) => `${member}: ${value}`),
    ...problems.map((problem) => `problem: ${problem}`),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...(problems.length === 0 ? [`${result}; the callback URL to register is ${callbackUrl}`] : []),
  ]);
  if (problems.length > 0) process.exitCode = 1;
}
