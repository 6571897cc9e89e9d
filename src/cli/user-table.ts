import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { type Human, type User, UserState } from "../../gen/signet/v1/user_pb.js";
import { toTable } from "./print.ts";

export function toUserTable(users: readonly User[]): string[] {
  const rows = users.map((user) => [
    user.id,
    user.userName,
    toName(user),
    user.type.case === "human" ? toEmail(user.type.value) : "",
    toState(user),
    toTime(user.lastSignIn),
  ]);
  return toTable(["ID", "USER NAME", "NAME", "EMAIL", "STATE", "LAST SIGN-IN"], rows);
}

/** Formats one user, one line per fact. */
export function toUserLines(user: User): string[] {
  const human = user.type.case === "human" ? user.type.value : undefined;
  const facts: [string, string | undefined][] = [
    ["id", user.id],
    ["org", user.details?.resourceOwner],
    ["user name", user.userName],
    ["type", user.type.case],
    ["state", toState(user)],
    ["name", toName(user)],
    ["nickname", human?.profile?.nickName],
    ["email", human && toEmail(human)],
    ["phone", human?.phone && withDoubt(human.phone.phone, human.phone.isPhoneVerified)],
    ["language", human?.profile?.preferredLanguage],
    ["password", human && toPassword(human)],
    ["second factor", human?.secondFactorRequired ? "must be set up" : undefined],
    ["one-time codes", human?.hasUnusableOtpCode ? "the imported otpCode is not a secret" : undefined],
    ["description", user.type.case === "machine" ? user.type.value.description : undefined],
    ["last sign-in", toTime(user.lastSignIn)],
    ["created", toTime(user.details?.creationDate)],
    ["changed", toTime(user.details?.changeDate)],
  ];
  return facts.filter(([, value]) => value).map(([name, value]) => `${name.padEnd(LONGEST_NAME)}${value}`);
}

const LONGEST_NAME = "one-time codes".length + 2;

/** A time as it is printed; empty if there is none. */
export function toTime(time: Timestamp | undefined): string {
  return time === undefined ? "" : timestampDate(time).toISOString();
}

function toName({ type }: User): string {
  switch (type.case) {
    case "human":
      return type.value.profile?.displayName ?? "";
    case "machine":
      return type.value.name;
    default:
      return "";
  }
}

function toEmail({ email }: Human): string {
  return email === undefined ? "" : withDoubt(email.email, email.isEmailVerified);
}

function withDoubt(text: string, isVerified: boolean): string {
  return isVerified ? text : `${text} (not verified)`;
}

function toPassword({ passwordChanged, passwordChangeRequired }: Human): string {
  if (passwordChanged === undefined) return "none";
  return `set ${toTime(passwordChanged)}${passwordChangeRequired ? ", must be changed at the next sign-in" : ""}`;
}

/** The name of a state without its prefix, in lower case, as `--state` accepts it. */
function toState({ state }: User): string {
  return (UserState[state] ?? String(state)).toLowerCase();
}
