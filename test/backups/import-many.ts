import type { Tried } from "./restored-service.ts";

/** Calls at once. */
const IN_FLIGHT = 64;

/** Imports users, as many as there are to be in all. */
export async function importMany(tried: Tried, users: number): Promise<void> {
  let next = 1;
  const work = async () => {
    while (next < users) await tried.importUser(`user-${next++}`);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}
