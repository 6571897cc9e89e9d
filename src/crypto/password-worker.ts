import { hashSync } from "bcryptjs";

/** What one hash needs: the password in clear form and the bcrypt cost, the base-2 logarithm of the rounds. */
export interface HashTask {
  readonly password: string;
  readonly cost: number;
}

/** Runs in a worker thread, where blocking stops nobody: the `$2b$` hash with a fresh salt of 16 random bytes. */
export function hashPassword({ password, cost }: HashTask): string {
  return hashSync(password, cost);
}
