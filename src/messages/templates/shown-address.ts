/**
 * The email address as it may stand in a message; undefined where it is better left out: an address may begin like that
 * of a web page, `evil.example/a@example.com`, and mail programs would make a link of that.
 */
export function toShownAddress(address: string): string | undefined {
  return SHOWN.test(address) ? address : undefined;
}

const SHOWN = /^(?!www\.)[\p{L}\p{M}\p{N}._+'-]+@[\p{L}\p{M}\p{N}.-]+$/iu;
