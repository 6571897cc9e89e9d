import type { User } from "../../../gen/signet/v1/user_pb.js";
import { ActionButton } from "../../parts/actions.tsx";
import type { ItemPart } from "../../parts/screen.tsx";
import { texts } from "../../state/language.ts";
import type { Permissions } from "../../state/permissions.ts";

/** What each part of the page of a user gets. */
export interface UserPart extends ItemPart {
  readonly user: User;
  readonly permissions: Permissions;
}

/** Removes one of the things that the user has, by its name. */
export function RemoveButton({ of, ...action }: { of: string; change: () => Promise<unknown>; onDone: () => void }) {
  const { actions, done } = texts.value;
  const name = `${actions.remove} ${of}`;
  return <ActionButton label={actions.remove} name={name} done={done.removed(of)} isDangerous {...action} />;
}
