import { type RawBuilder, sql } from "kysely";
import type { Operator, Principal } from "../actor.ts";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import type { Param } from "../database/prepare.ts";
import type { Write } from "../database/prepare-write.ts";
import { SignetError } from "../errors.ts";
import { type EventValues, eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import { type Change, type ChangedObject, prepareChange } from "../events/prepare-change.ts";
import { prepareRemoval, type RemovedObject } from "../events/prepare-removal.ts";
import { apiAccessDenied, mayGrantApiAccess } from "./api-access.ts";
import {
  type MayUseService,
  mayUseService,
  refuseServiceUser,
  type ServiceRefusal,
  toServiceError,
} from "./service-user.ts";

/** The dependencies of a change of an application. */
export interface ChangeAppParts {
  readonly db: Database;
  readonly clock: Clock;
}

/** The owner of the application is the actor's organization, or, for an operator, that or the instance. */
export type AppCall = Call<Principal | Operator>;

/** Why a change of an application is refused. `CHANGED`: the application has changed since it was read. */
type AppRefusal = "PERMISSION_DENIED" | "APP_STATE" | "APP_WITHOUT_SECRET" | "CHANGED" | ServiceRefusal;

interface AppValues extends MayUseService {
  mayGrantApiAccess: boolean;
}

type ControlValues = AppValues & EventValues;

/**
 * Prepares a command that changes one application; see `prepareChange`. It is refused if the caller may not control the
 * application, whatever it changes.
 */
export function prepareAppChange<Values extends object = object>({
  refuse = () => sql`null::text`,
  ...change
}: Change<"apps", AppValues & Values, AppRefusal>) {
  return prepareChange<AppValues & Values, AppRefusal, "apps">("apps", {
    ...change,
    refuse: (given) => sql`coalesce(${refuseControl(given)}, ${refuse(given)})`,
  });
}

/** The same for the removal of an application, after which `writes` runs; see `prepareRemoval`. */
export function prepareAppRemoval(writes: RawBuilder<object>) {
  return prepareRemoval<AppValues, AppRefusal>("apps", { refuse: refuseControl, writes });
}

/**
 * Why the caller may not control the application, or null: because it has API access, or a machine user. A user who has
 * been removed protects nothing.
 */
function refuseControl<Values extends ControlValues>(given: Param<Values>): RawBuilder<AppRefusal | null> {
  const refusal = refuseServiceUser(sql.ref("held.service_user_id"), given);
  return sql<AppRefusal | null>`case
    when held.api_access and not ${given("mayGrantApiAccess", "boolean")} then 'PERMISSION_DENIED'
    else nullif(${refusal}, 'SERVICE_USER_UNKNOWN') end`;
}

/** Why the caller may not give the application this configuration, or null. */
export function refuseConfig<Values extends ControlValues & { serviceUserId: string | null }>(
  given: Param<Values>,
): RawBuilder<AppRefusal | null> {
  return refuseServiceUser(given("serviceUserId", "uuid"), given);
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
 * Runs a command prepared by `prepareAppChange` or `prepareAppRemoval`.
 *
 * @throws SignetError APP_NOT_FOUND, APP_STATE, APP_WITHOUT_SECRET, PERMISSION_DENIED for an application with API access
 *   or a machine user, INVALID_ARGUMENT for an unknown `serviceUserId`, or for a failure of the database.
 */
export async function changeApp<Values extends object>(
  parts: ChangeAppParts,
  statement: AppStatement<Values>,
  values: GivenValues<Values>,
  call: AppCall,
  response?: object,
): Promise<Changed> {
  const app = await runAppChange(parts, statement, values, call, response);
  if (app === "CHANGED") throw new SignetError("ABORTED", "the application was changed concurrently; try again");
  return toChanged(app, call.orgId);
}

/** A statement of a command. Removals return no state. */
type AppStatement<Values> = Write<
  EventValues & AppValues & Values,
  RemovedObject<AppRefusal> & Partial<ChangedObject<AppRefusal>>
>;

type GivenValues<Values> = { readonly appId: string; readonly event: NewEvent } & Values;

/** Like `changeApp`, for commands that may be refused with `CHANGED`. */
export async function runAppChange<Values extends object>(
  { db, clock }: ChangeAppParts,
  statement: AppStatement<Values>,
  { appId, event, ...values }: GivenValues<Values>,
  call: AppCall,
  response?: object,
): Promise<ObjectRow | "CHANGED"> {
  const common = {
    ownerId: call.orgId,
    aggregateId: appId,
    editorId: call.userId,
    now: clock(),
    events: eventsToJson([event]),
    mayGrantApiAccess: mayGrantApiAccess(call),
    ...mayUseService(call),
  };
  const [app] = isId(appId) ? await statement(db, { ...(values as unknown as Values), ...common }, call, response) : [];
  if (app === undefined) throw appNotFound(appId);
  if (app.refusal === "CHANGED") return "CHANGED";
  if (app.refusal !== null) throw toRefusal(app.refusal, app.state);
  return app;
}

function toRefusal(refusal: Exclude<AppRefusal, "CHANGED">, state?: "active" | "inactive"): SignetError {
  switch (refusal) {
    case "PERMISSION_DENIED":
      return apiAccessDenied();
    case "APP_STATE": {
      const name = state === "active" ? "APP_STATE_ACTIVE" : "APP_STATE_INACTIVE";
      const message = `the application is already in the state ${name}`;
      return new SignetError("APP_STATE", message, { metadata: { state: name } });
    }
    case "APP_WITHOUT_SECRET": {
      const message = "the application has no secret: its authentication method is NONE or PRIVATE_KEY_JWT";
      return new SignetError("APP_WITHOUT_SECRET", message);
    }
    case "SERVICE_USER_DENIED":
    case "SERVICE_USER_UNKNOWN":
      return toServiceError(refusal);
    default:
      return refusal satisfies never;
  }
}

export function appNotFound(appId: string): SignetError {
  const message = "appId: no application of the organization has this id";
  return new SignetError("APP_NOT_FOUND", message, { metadata: { appId } });
}
