import { IMPORT_PATH, send } from "../support/clients/send.ts";
import type { Tried } from "./restored-service.ts";

/** Calls at once. */
const IN_FLIGHT = 32;
/** The hash of an unknown password. */
const HASH = "$2b$10$abcdefghijklmnopqrstuuBkwQU5bq0mFCYd4JvMwG9CmHDUYrKSe";

/** Imports users up to the given total. Each has a one-time code secret and a passkey link. */
export async function importMany({ server, token }: Tried, users: number): Promise<void> {
  let next = 1;
  const importUser = async (userName: string) => {
    const body = {
      userName,
      profile: { firstName: "Ada", lastName: "Lovelace" },
      email: { email: `${userName}@example.com`, isEmailVerified: true },
      phone: { phone: "+41791234567", isPhoneVerified: true },
      hashedPassword: { value: HASH },
      requestPasswordlessRegistration: true,
      otpCode: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    };
    const headers = { "idempotency-key": userName };
    const response = await send(server.origin, "POST", IMPORT_PATH, { token, body, headers });
    if (response.status === 503 || response.status === 504) return false;
    if (response.status !== 200) throw new Error(`the import returned ${response.status}`);
    return true;
  };
  const work = async () => {
    while (next < users) {
      const userName = `user-${next++}`;
      // A busy service requests a retry.
      while (!(await importUser(userName))) await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}
