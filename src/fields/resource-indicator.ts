/**
 * Describes what is wrong with a resource indicator (RFC 8707, section 2), as the end of a sentence about it; undefined
 * if it is accepted: an absolute URI without a fragment. Indicators are compared character by character.
 */
export function describeResourceIndicatorProblem(text: string): string | undefined {
  const url = /^[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null;
  if (url === null) return "must be an absolute URI of ASCII characters such as https://api.example.com/orders";
  if (text.includes("#")) return "must not have a fragment";
  if (url.username !== "" || url.password !== "") return "must not have a user name or password";
  return undefined;
}
