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

interface RemoveButtonProps {
  /** The name of what is removed. */
  readonly of: string;
  readonly change: () => Promise<unknown>;
  readonly onDone: () => void;
}

/** Removes one of the things that the user has. */
export function RemoveButton({ of, change, onDone }: RemoveButtonProps) {
  const { actions, done } = texts.value;
  const name = `${actions.remove} ${of}`;
  return <ActionButton label={actions.remove} done={done.removed(of)} isDangerous {...{ name, change, onDone }} />;
}
