import { ConfigError } from "../../config/config-error.ts";
import type { Target } from "../moving-api.ts";
import type { ImportOptions } from "../options.ts";
import { type Input, readUsers } from "../reading/read-users.ts";
import type { Source } from "../source.ts";

/**
 * The target for an export whose source has `orgOf`: users of a single organization go to that of the target unless `--org-map` names
 * another one, and those of several go to several.
 *
 * @throws ConfigError with the names of organizations that the target does not have.
 */
export async function findOrgs(
  target: Target,
  source: Source,
  input: Input,
  { orgs }: Pick<ImportOptions, "orgs">,
): Promise<Target> {
  const { orgOf } = source;
  if (orgOf === undefined) return target;
  const names = new Set<string>();
  for await (const records of readUsers(input, source)) {
    for (const { value } of records) {
      const name = value && orgOf(value);
      if (name !== undefined) names.add(name);
    }
  }
  if (names.size <= 1) {
    const isMapped = (name: string | undefined) => name !== undefined && Object.hasOwn(orgs, name);
    return { ...target, findOrg: (name) => target.findOrg(isMapped(name) ? name : undefined) };
  }
  const missing: string[] = [];
  for (const name of names) if ((await target.findOrg(name)) === undefined) missing.push(name);
  if (missing.length === 0) return target;
  throw new ConfigError(
    `the users are of ${names.size} organizations, and the target does not have ${missing.map((name) => `"${name}"`).join(", ")}: ` +
      `name one for each with --org-map "${missing[0]}=<id or name>", or one for all users with --org`,
  );
}
