import type { Source } from "./source.ts";
import { signet } from "./sources/signet.ts";

/** The systems whose exports can be read, by the names that `--from` takes. */
export const SOURCES: Readonly<Record<string, Source>> = Object.fromEntries(
  [signet].map((source) => [source.name, source]),
);
