import type { EventKind } from "../../screens/audit/event-kinds.ts";

/** The texts of the events. */
export interface AuditTexts {
  readonly title: string;
  readonly allTitle: string;
  readonly ofAll: string;
  readonly ofOrg: string;
  readonly filters: string;
  readonly kinds: Readonly<Record<EventKind, string>>;
  readonly more: string;
  readonly type: string;
  readonly typeHint: string;
  readonly object: string;
  readonly actor: string;
  readonly id: string;
  readonly since: string;
  readonly until: string;
  readonly apply: string;
  readonly clear: string;
  readonly follow: string;
  readonly time: string;
  readonly what: string;
  readonly content: string;
  readonly ofObject: string;
  readonly ofActor: string;
  /** The address of an event. */
  readonly link: string;
  readonly none: string;
  /** The search has examined a part of the events only. */
  readonly noneYet: string;
  readonly searchOn: string;
  readonly latest: string;
  readonly older: string;
}
