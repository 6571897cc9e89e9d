/**
 * Returns the email address if it is safe to show in a message, otherwise undefined. An address can start like the URL
 * of a web page, such as `evil.example/a@example.com`, which mail clients turn into a link.
 */
export function toShownAddress(address: string): string | undefined {
  return SHOWN.test(address) ? address : undefined;
}

const SHOWN = /^(?!www\.)[\p{L}\p{M}\p{N}._+'-]+@[\p{L}\p{M}\p{N}.-]+$/iu;
