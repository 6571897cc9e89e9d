import { once } from "node:events";

/** Waits for the end of work, for at most `graceMs`, and then abandons what is left of it. */
export async function waitForEnd(work: Promise<unknown>, graceMs: number, abandoned: AbortController): Promise<void> {
  const timer = setTimeout(() => abandoned.abort(), graceMs);
  await Promise.race([work, once(abandoned.signal, "abort")]);
  clearTimeout(timer);
  abandoned.abort();
}
