/** A bcrypt hash such as another system exports. */
const HASH = "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy";

/** The id of the user with a number, in databases that the benchmark fills itself. */
export function toUserId(number: number): string {
  return `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
}

/** A number that is possible, and differs for each of ten million. */
export function toPhoneNumber(number: number): string {
  return `+4179${String(number % 10_000_000).padStart(7, "0")}`;
}

/** The JSON form of a request to import a user. */
export function toImportRequest(number: number, password?: string): Record<string, unknown> {
  return {
    userName: `user-${number}`,
    profile: { firstName: "Ada", lastName: "Lovelace" },
    email: { email: `user-${number}@example.com`, isEmailVerified: true },
    ...(password === undefined ? { hashedPassword: { value: HASH } } : { password }),
  };
}
