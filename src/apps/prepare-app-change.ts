import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { isId } from "../crypto/secrets.ts";
import type { Param } from "../database/prepare.ts";
import { prepareWrite, type Write } from "../database/prepare-write.ts";
import type { Tables } from "../database/tables.ts";
import { SignetError } from "../errors.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import type { ObjectRow } from "../events/object-details.ts";

/** The dependencies of a change of an application. */
export interface ChangeAppParts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
}

/** A call, or a command without a user. `orgId` is the owner: an organization or the instance. */
export type AppCall = Pick<Call, "orgId" | "throwIfOver" | "keptResponse"> & { readonly userId: string | null };

/** A change of one application. */
interface AppChange<Values extends object> {
  /** Whether there is something to change. The stored application is `apps`. */
  readonly when: (param: Param<Values>) => RawBuilder<SqlBool>;
  readonly set: (param: Param<Values>) => { readonly [Column in keyof Tables["apps"]]?: Expression<unknown> };
  /** Ends all tokens of the application. */
  readonly endsTokens?: true;
  /** The command fails if there is nothing to change. */
  readonly mustChange?: true;
}

/** The application after the command. */
export interface ChangedApp extends ObjectRow {
  readonly state: "active" | "inactive";
  /** False if there was nothing to change. */
  readonly is_changed: boolean;
}

type AppStatement<Values extends object> = Write<EventValues & Values, ChangedApp>;

/**
 * Prepares a command that changes one application and appends its events. It returns no row if there is no such
 * application. Concurrent changes to one application run one after another.
 */
export function prepareAppChange<Values extends object = Record<never, never>>(
  change: AppChange<Values>,
): AppStatement<Values> {
  const isDone = change.mustChange ? sql<boolean>`carried_out.is_changed` : sql<boolean>`true`;
  return prepareWrite<EventValues & Values, ChangedApp>(
    (db, param) => {
      const own = param as unknown as Param<Values>;
      const common = param as unknown as Param<EventValues>;
      return db
        .with("held", (query) =>
          query
            .selectFrom("apps")
            .select([
              "owner_id",
              "id",
              "state",
              "sequence",
              "created_at",
              "changed_at",
              change.when(own).as("is_wanted"),
            ])
            .where("owner_id", "=", common("ownerId", "uuid"))
            .where("id", "=", common("aggregateId", "uuid"))
            .forNoKeyUpdate(),
        )
        .with("changed", (query) =>
          query
            .updateTable("apps")
            .from("held")
            .set({ ...change.set(own), ...changedColumns(common, "apps") } as object)
            .whereRef("apps.owner_id", "=", "held.owner_id")
            .whereRef("apps.id", "=", "held.id")
            .where("held.is_wanted", "=", true)
            .returning(["apps.id", "apps.sequence", "apps.created_at", "apps.changed_at"]),
        )
        .with("ended", () => (change.endsTokens ? deleteTokens("changed") : sql<object>`(select)`))
        .with("appended", () => appendEvents(common, "changed"))
        .selectFrom("held")
        .leftJoin("changed", (join) => join.onTrue())
        .select(({ fn }) => [
          "held.state",
          sql<boolean>`changed.id is not null`.as("is_changed"),
          fn.coalesce("changed.sequence", "held.sequence").as("sequence"),
          "held.created_at",
          fn.coalesce("changed.changed_at", "held.changed_at").as("changed_at"),
        ])
        .$castTo<ChangedApp>();
    },
    { isDone },
  );
}

/**
 * The maximum number of codes, grants and tokens that one statement deletes, in about 0.3 s. An application can have
 * millions, which would take longer than the statement timeout.
 */
export const MAX_ENDED_TOKENS = 10_000;

/**
 * The part that deletes codes, grants and tokens of the application in another part. The rest is invalid while the
 * application is deactivated or does not exist, is deleted before a reactivation, and expires.
 */
export function deleteTokens(part: string): RawBuilder<object> {
  return sql<object>`(
    delete from oidc_artifacts using (
      select artifact.kind, artifact.key
      from ${sql.table(part)} as changed join oidc_artifacts as artifact on artifact.client_id = changed.id::text
      limit ${sql.lit(MAX_ENDED_TOKENS)}) as ended
    where oidc_artifacts.kind = ended.kind and oidc_artifacts.key = ended.key returning 1)`;
}

/**
 * Runs a command prepared by `prepareAppChange`.
 *
 * @throws SignetError APP_NOT_FOUND, or for a failure of the database.
 */
export async function changeApp<Values extends object>(
  { db, clock }: ChangeAppParts,
  statement: AppStatement<Values>,
  { appId, event, ...values }: { readonly appId: string; readonly event: NewEvent } & Values,
  call: AppCall,
): Promise<ChangedApp> {
  const common = {
    ownerId: call.orgId,
    aggregateId: appId,
    editorId: call.userId,
    now: clock(),
    events: eventsToJson([event]),
  };
  const [app] = isId(appId) ? await statement(db, { ...(values as unknown as Values), ...common }, call) : [];
  if (app === undefined) throw appNotFound(appId);
  return app;
}

export function appNotFound(appId: string): SignetError {
  const message = "appId: no application of the organization has this id";
  return new SignetError("APP_NOT_FOUND", message, { metadata: { appId } });
}
