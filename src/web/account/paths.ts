import { ACCOUNT_PATH } from "../frame/account-app.ts";

/** The pages below `/ui/account`. What a page is about is in its query, so that a sign-in can return to it. */
export const PATHS = {
  name: `${ACCOUNT_PATH}/name`,
  userName: `${ACCOUNT_PATH}/user-name`,
  language: `${ACCOUNT_PATH}/language`,
  email: `${ACCOUNT_PATH}/email`,
  phone: `${ACCOUNT_PATH}/phone`,
  resendPhone: `${ACCOUNT_PATH}/phone/resend`,
  removePhone: `${ACCOUNT_PATH}/phone/remove`,
  password: `${ACCOUNT_PATH}/password`,
  passkeys: `${ACCOUNT_PATH}/passkeys`,
  addPasskey: `${ACCOUNT_PATH}/passkeys/add`,
  renamePasskey: `${ACCOUNT_PATH}/passkeys/rename`,
  removePasskey: `${ACCOUNT_PATH}/passkeys/remove`,
  oneTimeCode: `${ACCOUNT_PATH}/one-time-code`,
  removeOneTimeCode: `${ACCOUNT_PATH}/one-time-code/remove`,
  recoveryCodes: `${ACCOUNT_PATH}/one-time-code/recovery-codes`,
  newRecoveryCodes: `${ACCOUNT_PATH}/one-time-code/new-recovery-codes`,
  links: `${ACCOUNT_PATH}/links`,
  unlink: `${ACCOUNT_PATH}/links/remove`,
  session: `${ACCOUNT_PATH}/sessions/end`,
  otherSessions: `${ACCOUNT_PATH}/sessions/end-others`,
  withdraw: `${ACCOUNT_PATH}/apps/remove`,
  data: `${ACCOUNT_PATH}/data`,
  dataFile: `${ACCOUNT_PATH}/data/file`,
  remove: `${ACCOUNT_PATH}/delete`,
  removed: `${ACCOUNT_PATH}/deleted`,
  signOut: `${ACCOUNT_PATH}/sign-out`,
  signedOut: `${ACCOUNT_PATH}/signed-out`,
} as const;

/** A path with a query. */
export function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams(query)}`;
}
