import { readFileSync } from "node:fs";

/** A hash created by another program. */
export interface Vector {
  readonly madeBy: string;
  readonly password: string;
  readonly hash: string;
}

export const VECTORS: readonly Vector[] = readFileSync(new URL("vectors.tsv", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [madeBy = "", password = "", hash = ""] = line.split("\t");
    return { madeBy, password: JSON.parse(password), hash };
  });
