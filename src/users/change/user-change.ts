import type { Expression, RawBuilder } from "kysely";
import type { CodeRow } from "../../codes/issue-code.ts";
import type { CodeKind } from "../../codes/kinds.ts";
import type { Columns } from "../../database/command-list.ts";
import type { Param } from "../../database/prepare.ts";
import type { CommandKind } from "../../database/run-together.ts";
import type { Tables } from "../../database/tables.ts";
import type { Reason } from "../../errors.ts";
import type { NewEvent } from "../../events/catalogue.ts";
import type { ObjectRow } from "../../events/object-details.ts";
import type { NoticeRow } from "../../messages/notices.ts";
import type { MessageRow, OutboxValues } from "../../messages/outbox.ts";
import type { Notice } from "../../texts/en/notices.ts";
import type { MissingUser } from "../user-not-found.ts";
import type { EndedSession } from "./end-sessions.ts";
import type { MayChange } from "./protected-user.ts";

/** The rows that a change of a user writes besides the user's row. */
export interface Plan {
  readonly events: readonly NewEvent[];
  readonly codes: readonly CodeRow[];
  readonly messages: readonly MessageRow[];
}

/** The values of every change of a user. */
export interface ChangeValues extends MayChange {
  ownerId: string;
  aggregateId: string;
  editorId: string | null;
  now: Date;
  /** The statement writes one of them, depending on the stored user. */
  plans: readonly Plan[];
  /** The id of the session that continues; null if all sessions end. */
  keptSession: string | null;
  /** What reports the change to the user; empty if nothing does. */
  notices: readonly NoticeRow[];
}

/** The user after the change, except that `state` and `initialized` have their earlier values. */
export interface ChangedUser extends ObjectRow {
  /** The reason why the change was rejected; null if it was not. */
  readonly refusal: Reason | null;
  /** The number of the written plan; null if there was nothing to change, or the change was rejected. */
  readonly choice: number | null;
  /** False if the user was changed concurrently and nothing was written: run the command again. */
  readonly is_fresh: boolean;
  readonly state: "active" | "inactive" | "locked";
  readonly initialized: boolean;
  /** When the user's codes of the limited kind were issued; see `nextSendAt`. */
  readonly sent_at: Date[];
  /** The sessions ended by the change; absent if it ends none. */
  readonly ended_sessions?: readonly EndedSession[];
}

/** How a command changes one user's row. Expressions read the stored user from `users`. */
export interface UserChange<Values extends object> {
  readonly name: string;
  /** Restricts the command to users of this kind. For others, it fails as if they did not exist. */
  readonly kind?: "human" | "machine";
  /** The types of the command's own values, if it has any. */
  readonly columns?: Columns<Values>;
  /** The reason why this user cannot be changed, or null. */
  readonly refuse?: RawBuilder<Reason | null> | ((given: Param<Values>) => RawBuilder<Reason | null>);
  /** The number of the plan to write; null if there is nothing to change. The first one by default. */
  readonly choose?: (given: Param<Values>) => RawBuilder<number | null>;
  /**
   * Whether the value is stored already. The first event of the plan, which reports a new value, is then left out, and
   * there is nothing to change if the plan has no other event.
   */
  readonly isStored?: (given: Param<Values>) => RawBuilder<boolean>;
  /** The columns to write, besides those of every change. */
  readonly set?: (given: Param<Values>) => { readonly [Column in keyof Tables["users"]]?: Expression<unknown> };
  /** For plans with one code and message: their recipient, if it depends on the stored user. */
  readonly recipient?: (given: Param<Values>) => RawBuilder<string | null>;
  /**
   * Ends the user's sessions and application tokens, except `keptSession` with its tokens, and links: see
   * `endOwnLinks`. Or a part that ends some sessions of the users in the part `planned`, and returns `kind`, `user_id`
   * and `payload` of what it deletes.
   */
  readonly endsSessions?: true | ((planned: Param<OutboxValues & Values>) => RawBuilder<object>);
  /** Ends the user's codes of this kind. */
  readonly endsCodes?: CodeKind;
  /** Writes rows of another table, for the users in the part `planned`. */
  readonly writes?: (planned: Param<OutboxValues & Values>) => RawBuilder<object>;
  /** As `writes`, for an upsert that reads no other table, and so does not depend on the statement's snapshot. */
  readonly upserts?: (planned: Param<OutboxValues & Values>) => RawBuilder<object>;
  /** The email that reports the change to the user. */
  readonly notice?: Notice;
  /** The address that the notice goes to; null for none. The stored address by default, if it is verified. */
  readonly notified?: (given: Param<Values>) => RawBuilder<string | null>;
  /** The kind of the plan's code. Beyond the limits of `maySend`, the change is rejected with TOO_MANY_MESSAGES. */
  readonly limitedKind?: CodeKind;
  /** Counts the codes that were requested as the user, on pages, separately from those of callers. */
  readonly separatesCallers?: true;
}

/** A command that changes one user. */
export interface UserChangeKind<Values extends object> extends CommandKind<ChangeValues & Values, ChangedUser> {
  readonly missing: MissingUser;
  readonly notice: Notice | undefined;
  readonly limitedKind: CodeKind | undefined;
}
