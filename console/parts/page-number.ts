/** The number of the page in the address, from 1; the first one for anything else. */
export function readPage(parameters: URLSearchParams): number {
  const page = Number(parameters.get("page"));
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}
