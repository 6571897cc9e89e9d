/** Characters of the field. */
const LARGE_LENGTH = 64 * 1_024;

/**
 * Whether a response takes so long to verify that others must not wait for it. It may have more elements, and is read in
 * a thread of its own. Without the libraries that read it, which the main thread never loads.
 */
export function isLargeResponse(response: string): boolean {
  return response.length > LARGE_LENGTH;
}
