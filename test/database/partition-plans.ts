import { PARTITION_KEYS } from "../../src/database/partition.ts";

/** A node of EXPLAIN (FORMAT JSON). */
export interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Loops"?: number;
  readonly "Index Cond"?: string;
  readonly "Recheck Cond"?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Statements that read all partitions of a table, by their name, with a pattern of their text. */
export const READ_ALL_PARTITIONS: Readonly<Record<string, { readonly pattern: RegExp; readonly tables: string }>> = {
  // A link has the id of its code, and no organization.
  "find the code of a link": {
    pattern: /^select "codes"\."org_id".* from "codes" inner join "users"/,
    tables: "codes,users",
  },
  // The claim `sub`, and the stored session or token, has the id of the user, but no organization.
  "find the user of a token": {
    pattern: / from "asked" inner join lateral \(select "users"/,
    tables: "users",
  },
  "find the user of an access token": {
    pattern: / from "asked" inner join "oidc_artifacts" as "token" on .* inner join lateral \(select "users"/,
    tables: "users",
  },
  "find an introspected token": {
    pattern:
      / from users as member .* from "asked" inner join "apps" as "client"|from "asked" inner join "apps" as "client" .* from users as member/,
    tables: "users",
  },
  "find a token": { pattern: / from "asked" inner join "oidc_artifacts" as "found"/, tables: "users" },
  "find a session": { pattern: / from "asked" inner join "oidc_artifacts" as "session"/, tables: "users" },
  "store a session, grant, code or token": {
    pattern: /^with given as .* insert into oidc_artifacts as stored/,
    tables: "users",
  },
  "find the user of a sign-in": { pattern: /^select "org_id" as "orgId".* and "id" = \$2/, tables: "users" },
  "read the account of a session": { pattern: /^select "users"\."id" as "id".* where "users"\."id"/, tables: "users" },
  "find the caller of an access token": { pattern: / "oidc_artifacts" as "token" .* as "holder"/, tables: "users" },
  "end a session": { pattern: /^with "deleted" as \(\s*delete from oidc_artifacts/, tables: "users" },
  // Members may be users of any organization.
  "find the user of a new member": {
    pattern: /^select "id", "org_id" from "users" where "id" = \$1 for key share/,
    tables: "users",
  },
  "find the organization of a new member of the instance": {
    pattern: /^select "org_id" from "users" where "id" = \$1/,
    tables: "users",
  },
  // An event of the instance may name a user of any organization; the index on the id finds the page's.
  "read the names in events": {
    pattern: /^select id, coalesce\(display_name, user_name\) as name from "users" where id = any/,
    tables: "users",
  },
  "list the members of the instance": {
    pattern: /^select counted\.total, .* as member left join users on true and users\.org_id = member\.user_org_id/,
    tables: "users",
  },
  // Nobody gets a subject that is the id of a user of any organization.
  "import a user with a subject": {
    pattern: /^with "given" as .* from users as owner where owner\.id/,
    tables: "users",
  },
  // For all organizations: the oldest first.
  "delete ended messages": {
    pattern: /^with "ended" as materialized \(select .* from "messages" where "ended_at" </,
    tables: "codes,messages",
  },
  "delete ended codes": { pattern: /^with ended as materialized \( select .* from "codes" where/, tables: "codes" },
  "renew the claims of messages": { pattern: /^update "messages" .* as claims/, tables: "messages" },
  "claim due messages": {
    pattern: /^with "due" as materialized \(select .* from "messages"/,
    tables: "codes,messages,users",
  },
  "count the messages that are not sent yet": {
    pattern: /^select "channel", "state", count\(\*\)/,
    tables: "messages",
  },
  // A row comparison keeps the planner on the index of the owner, but selects no partition: each has an index to look in.
  "find the last event of a list": {
    pattern: /^with recursive step \(number, position\) as/,
    tables: "events",
  },
  "list events": { pattern: /^with found as materialized \( select \* from events where/, tables: "events,users" },
  "read the position of the last event": {
    pattern: /^select coalesce\(\(select max\(position\) from events\)/,
    tables: "events",
  },
  "read new events for watchers": {
    pattern: /^select "events"\."position", .* as "editor_org_id"/,
    tables: "events,users",
  },
  "read the position of a new webhook": {
    pattern: /^select greatest\(max\(position\), \$1\) as "last" from "events"/,
    tables: "events",
  },
  "erase the events of an organization": {
    pattern: /^with found as materialized \( select aggregate_id, sequence, position, payload is not null/,
    tables: "events",
  },
  // Webhooks of all organizations, each by its owner and its position.
  "create deliveries of webhooks": { pattern: /^with behind as materialized/, tables: "events" },
  // Both: a provider of the instance can be linked to users of any organization. The second one is for a foreign key.
  "find the links to a provider": {
    pattern: /^select exists \( select from user_idp_links as link /,
    tables: "user_idp_links",
  },
  "delete the links to the providers of a removed organization": {
    pattern: /^with chosen as materialized \( select "org_id", "idp_id", "external_user_id" from "user_idp_links"/,
    tables: "user_idp_links",
  },
  "delete the links to a provider": {
    pattern: /^DELETE FROM .*"user_idp_links" WHERE .*"idp_owner_id"/,
    tables: "user_idp_links",
  },
};

/**
 * The tables whose partitions a plan reads without a condition on the organization. With one, PostgreSQL reads the
 * partition of that organization, and finds it when the statement runs.
 */
export function tablesReadWhole(plan: PlanNode): string[] {
  const tables = partitionScans(plan).flatMap(({ table, node }) => {
    const conditions = [node["Index Cond"], node["Recheck Cond"], node.Filter].join(" and ");
    // One statement compares the column with itself.
    return new RegExp(`\\(${PARTITION_KEYS[table]} = (?!COALESCE)`).test(conditions) ? [] : [table];
  });
  return [...new Set(tables)].sort();
}

/** The tables of which a statement has read several partitions, according to EXPLAIN (ANALYZE, FORMAT JSON). */
export function tablesReadInParts(plan: PlanNode): string[] {
  const read = new Map<string, string>();
  const several = new Set<string>();
  for (const { table, partition, node } of partitionScans(plan)) {
    if (node["Actual Loops"] === 0) continue;
    if ((read.get(table) ?? partition) !== partition) several.add(table);
    read.set(table, partition);
  }
  return [...several].sort();
}

/** The name of a statement in `READ_ALL_PARTITIONS`; otherwise a description of what it reads. */
export function nameReadingAll(text: string, tables: readonly string[]): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const named = Object.entries(READ_ALL_PARTITIONS).find(([_name, { pattern }]) => pattern.test(line));
  const isExpected = named !== undefined && tables.every((table) => named[1].tables.split(",").includes(table));
  return isExpected ? named[0] : `${tables} by ${line}`;
}

interface PartitionScan {
  readonly table: keyof typeof PARTITION_KEYS;
  readonly partition: string;
  readonly node: PlanNode;
}

function partitionScans(node: PlanNode): PartitionScan[] {
  const [, table, partition = ""] = /^(.*)__p(\d+)$/.exec(node["Relation Name"] ?? "") ?? [];
  const isScan = table !== undefined && node["Node Type"].endsWith("Scan");
  const own = isScan ? [{ table: table as keyof typeof PARTITION_KEYS, partition, node }] : [];
  return [...own, ...(node.Plans ?? []).flatMap(partitionScans)];
}
