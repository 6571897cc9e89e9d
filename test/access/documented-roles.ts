import { globSync, readFileSync } from "node:fs";
import { AUTHENTICATED, type Permission, type Requirement, type Role } from "../../src/roles.ts";
import { methodOf, type Rpc } from "../support/clients/callers.ts";

const DOCUMENT = readFileSync("docs/api.md", "utf8");
const REFERENCE = globSync("docs/reference/*.md")
  .map((page) => readFileSync(page, "utf8"))
  .join("");

/** The cells of the row of a table that starts with a text. */
function rowOf(start: string, document = DOCUMENT): string[] {
  const row = document.split("\n").find((line) => line.startsWith(`| ${start}`));
  if (row === undefined) throw new Error(`no row of docs starts with ${start}`);
  return row.split("|").slice(1, -1);
}

/** The permission that docs/reference names for a method: `ManagementService.ImportHumanUser`. */
export function documentedPermission(method: string): Requirement {
  return rowOf(`\`${method}\``, REFERENCE)[2]?.replaceAll("`", "").trim() as Requirement;
}

/** The same by the name of an RPC. */
export function permissionOf(rpc: Rpc): Requirement {
  const { name, parent } = methodOf(rpc);
  return documentedPermission(`${parent.name}.${name}`);
}

const [, , ...COLUMNS] = rowOf("role | applies to").map((cell) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
);

/** The permissions of each role in the table of docs/api.md. */
export const DOCUMENTED_ROLES = Object.fromEntries(
  [...DOCUMENT.matchAll(/^\| ((?:INSTANCE|ORG)_[A-Z_]+) \| (every|one) organization \|/gm)].map(
    ([, name = "", where]) => {
      const [, , ...cells] = rowOf(`${name} |`);
      const permissions = COLUMNS.flatMap((names, index) => (cells[index]?.trim() === "yes" ? names : []));
      return [name, { scope: where === "every" ? "instance" : "org", permissions: permissions as Permission[] }];
    },
  ),
) as unknown as Readonly<
  Record<Role, { readonly scope: "instance" | "org"; readonly permissions: readonly Permission[] }>
>;

/** All permissions in the table. */
export const DOCUMENTED_PERMISSIONS = COLUMNS.flat() as Permission[];

/** What the organization header of a call contains. */
export const ORGS = ["no header", "an empty header", "own", "other", "unknown", "no id"] as const;

/** A caller of the organization `own`. */
export interface RoleHolder {
  /** The only role. */
  readonly role?: Role;
  /** Where the caller has it. */
  readonly scope: "instance" | "own" | "other";
}

/** The callers with each role, in each place that it can apply to, and one without a role. */
export const ROLE_HOLDERS: Readonly<Record<string, RoleHolder>> = {
  "no role": { scope: "own" },
  ...Object.fromEntries(
    (Object.keys(DOCUMENTED_ROLES) as Role[]).flatMap((role): [string, RoleHolder][] =>
      DOCUMENTED_ROLES[role].scope === "instance"
        ? [[role, { role, scope: "instance" }]]
        : [
            [role, { role, scope: "own" }],
            [`${role} of the other organization`, { role, scope: "other" }],
          ],
    ),
  ),
};

/**
 * The result of a call for each of `ORGS`: `+` is a success, `p` PERMISSION_DENIED, and `o` ORG_NOT_FOUND, which only
 * a caller with the permission on the instance may learn.
 */
export function cellsOf({ role, scope }: RoleHolder, permission: Requirement): string {
  // Every caller reads in its own organization, and in those where it has a role.
  if (permission === AUTHENTICATED) {
    return role === undefined ? "+++ppp" : { instance: "++++oo", own: "+++ppp", other: "++++pp" }[scope];
  }
  if (role === undefined || !DOCUMENTED_ROLES[role].permissions.includes(permission)) return "pppppp";
  // A permission on the instance ignores the header.
  if (permission.startsWith("iam.")) return "++++++";
  return { instance: "++++oo", own: "+++ppp", other: "ppp+pp" }[scope];
}
