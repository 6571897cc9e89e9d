import { type Expression, type RawBuilder, sql } from "kysely";
import type { Call } from "../../call.ts";
import type { Param } from "../../database/prepare.ts";
import { prepareWrite } from "../../database/prepare-write.ts";
import { type Reason, SignetError } from "../../errors.ts";
import { changedColumns } from "../../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../../events/append-events.ts";
import type { NewEvent } from "../../events/catalogue.ts";
import { type Changed, type ObjectRow, toChanged } from "../../events/object-details.ts";
import type { ChangeOrgParts } from "../add-org.ts";
import { orgNotFound } from "../get-org.ts";

interface DomainValues extends EventValues {
  domain: string;
}

/** How a statement changes a domain of an organization, whose locked row is in `held`. */
export interface DomainChange<Values extends object> {
  /** The part that writes, or locks, the row of the domain. It returns a row if the organization is to be changed. */
  readonly write: (param: Param<DomainValues & Values>) => RawBuilder<object>;
  /** Why `write` has returned no row. */
  readonly refusal: (param: Param<DomainValues & Values>) => RawBuilder<Reason>;
  /** The columns of the organization to change. */
  readonly set?: (param: Param<DomainValues & Values>) => { readonly primary_domain: Expression<string | null> };
}

/**
 * Prepares a change of a domain. Domains belong to the organization: their events have its sequence, and its row is
 * locked, so changes run one after another.
 */
export function prepareDomainChange<Values extends object = object>(change: DomainChange<Values>) {
  const statement = prepareWrite<DomainValues & Values, ObjectRow & { refusal: Reason | null }>(
    (db, param, returnRows) => {
      const event = param as unknown as Param<DomainValues>;
      return returnRows(
        db
          .with("held", (query) =>
            query
              .selectFrom("orgs")
              .select(["id", "sequence", "created_at", "changed_at"])
              .where("id", "=", event("aggregateId", "uuid"))
              .forNoKeyUpdate(),
          )
          .with("written", () => change.write(param))
          .with("changed", (query) =>
            query
              .updateTable("orgs")
              .from("held")
              .set({ ...change.set?.(param), ...changedColumns(event, "orgs") })
              .whereRef("orgs.id", "=", "held.id")
              .where(sql<boolean>`exists (select from written)`)
              .returning(["orgs.sequence", "orgs.changed_at"]),
          )
          .with("appended", () => appendEvents(event, "changed"))
          .with("result", (query) =>
            query
              .selectFrom("held")
              .leftJoin("changed", (join) => join.onTrue())
              .select("held.created_at")
              .select(
                sql<Reason | null>`case when changed.sequence is null then ${change.refusal(param)} end`.as("refusal"),
              )
              .select(({ fn }) => [
                fn.coalesce("changed.sequence", "held.sequence").as("sequence"),
                fn.coalesce("changed.changed_at", "held.changed_at").as("changed_at"),
              ]),
          ),
      );
    },
    { isDone: sql<boolean>`result.refusal is null` },
  );

  /** @param result The fields of the result besides `details`, to be stored; see `Idempotency`. */
  return async (
    { db, clock }: ChangeOrgParts,
    { domain, event, ...values }: { readonly domain: string; readonly event: NewEvent } & Values,
    call: Call,
    result?: object,
  ): Promise<Changed> => {
    const id = call.orgId;
    const command = {
      ...(values as unknown as Values),
      ownerId: id,
      aggregateId: id,
      editorId: call.userId,
      domain,
      now: clock(),
      events: eventsToJson([event]),
    };
    const [row] = await statement(db, command, call, result);
    if (row === undefined) throw orgNotFound(id, "the organization does not exist");
    if (row.refusal !== null) throw new SignetError(row.refusal, MESSAGES[row.refusal] ?? "the call is not allowed");
    return toChanged(row, id);
  };
}

const MESSAGES: Partial<Record<Reason, string>> = {
  ORG_DOMAIN_EXISTS: "domain: the organization has this domain already",
  ORG_DOMAIN_NOT_FOUND: "domain: the organization has no such domain",
  ORG_DOMAIN_VERIFIED: "domain: is verified already",
  ORG_DOMAIN_NOT_VERIFIED: "domain: is not verified",
  ABORTED: "the domain was changed at the same time; try again",
  TOO_MANY_DOMAINS: "the organization has the maximum number of domains",
};

/** The columns `sequence` and `changed_at` of a domain whose organization is in `held`. */
export function domainColumns<Values extends DomainValues>(param: Param<Values>) {
  return {
    sequence: sql<bigint>`held.sequence + jsonb_array_length(${param("events", "jsonb")})`,
    changedAt: sql<Date>`greatest(held.changed_at, ${param("now", "timestamptz")})`,
  };
}

/** The reason if the statement's snapshot contains the domain in a state in which it cannot be changed. */
export function notFoundOr<Values extends DomainValues>(param: Param<Values>, reason: Reason): RawBuilder<Reason> {
  return sql<Reason>`case when exists (
    select from org_domains
    where org_domains.org_id = ${param("ownerId", "uuid")} and org_domains.name = ${param("domain", "text")})
    then ${sql.lit(reason)} else 'ORG_DOMAIN_NOT_FOUND' end`;
}
