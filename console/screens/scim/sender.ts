/** The directories that say in the header `user-agent` who they are. */
const SENDERS: readonly (readonly [ofHeader: RegExp, name: string])[] = [
  [/okta/i, "Okta"],
  [/azure|entra|microsoft/i, "Entra ID"],
  [/onelogin/i, "OneLogin"],
  [/jumpcloud/i, "JumpCloud"],
];

/**
 * What people call the sender of a request.
 *
 * @param header The header `user-agent`.
 * @param others The name of the sender if it does not say so itself.
 */
export function senderOf(header: string, others: string): string {
  return SENDERS.find(([ofHeader]) => ofHeader.test(header))?.[1] ?? others;
}
