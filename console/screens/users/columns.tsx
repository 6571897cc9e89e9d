import type { ComponentChildren } from "preact";
import { type User, UserState } from "../../../gen/signet/v1/user_pb.js";
import { Time } from "../../parts/time.tsx";
import { texts } from "../../state/language.ts";
import { stored } from "../../state/preferences.ts";
import { humanOf, stateOf } from "./describe-user.ts";
import type { SortKey } from "./user-search.ts";

/** The columns besides the name, in their order. */
export const COLUMNS = {
  userName: { sort: "userName", show: (user) => user.userName },
  email: { sort: "email", show: (user) => humanOf(user)?.email?.email },
  phone: { show: (user) => humanOf(user)?.phone?.phone },
  state: { sort: "state", show: (user) => <State user={user} /> },
  lastSignIn: { sort: "lastSignIn", show: (user) => <Time at={user.lastSignIn} /> },
  created: { sort: "created", show: (user) => <Time at={user.details?.creationDate} /> },
  id: { show: (user) => <code>{user.id}</code> },
} as const satisfies Record<string, { readonly sort?: SortKey; readonly show: (user: User) => ComponentChildren }>;

export type Column = keyof typeof COLUMNS;

export const ALL_COLUMNS = Object.keys(COLUMNS) as Column[];

/** What this browser shows. */
export const shownColumns = stored<readonly Column[]>("signet-user-columns", [
  "userName",
  "email",
  "state",
  "lastSignIn",
  "created",
]);

export function State({ user }: { user: User }) {
  const isGood = user.state === UserState.ACTIVE;
  return <span class={isGood ? "state good" : "state"}>{stateOf(user, texts.value.user)}</span>;
}
