/** The problems that any page can have, and their HTTP status. */
export const PAGE_PROBLEMS = {
  "invalid-link": 404,
  "blocked-user": 403,
  "not-found": 404,
  "wrong-method": 405,
  foreign: 403,
  "wrong-type": 415,
  unreadable: 400,
  "too-slow": 408,
  "too-large": 413,
  "too-many": 429,
  failed: 500,
  unavailable: 503,
} as const;

export type PageProblem = keyof typeof PAGE_PROBLEMS;
