/**
 * Whether an email address is a placeholder of a user who has none: in the domain `invalid`, which never exists (RFC 6761, section 6.4).
 * Nothing is sent to it, and pages and claims do not show it.
 */
export function isNoAddress(email: string): boolean {
  return /\.invalid$/i.test(email.trim());
}
