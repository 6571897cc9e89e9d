import { useState } from "preact/hooks";
import { UserState } from "../../../gen/signet/v1/user_pb.js";
import { inOrg } from "../../api/api.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { go } from "../../state/location.ts";
import type { Permissions } from "../../state/permissions.ts";
import { toPath } from "../../state/routes.ts";
import { BULK_ACTIONS, type BulkAction } from "../users/bulk-actions.ts";
import { nameOf } from "../users/describe-user.ts";
import type { UserPart } from "./user-part.ts";

/** Locks, unlocks, deactivates, reactivates or removes the user: only what the user's state and the permissions allow. */
export function StateActions({ orgId, user, permissions, onChanged }: UserPart & { permissions: Permissions }) {
  const { api, me } = useSession();
  const { users } = texts.value;
  const [action, setAction] = useState<BulkAction>();
  // The API refuses changes of the caller's own state.
  const offered =
    user.id === me.id ? [] : possibleIn(user.state).filter((name) => permissions.can(BULK_ACTIONS[name].permission));
  if (offered.length === 0) return null;
  return (
    <div class="buttons">
      {offered.map((name) => (
        <button
          key={name}
          type="button"
          class={name === "remove" ? "secondary danger" : "secondary"}
          onClick={() => setAction(name)}
        >
          {users.actions[name]}
        </button>
      ))}
      {action && (
        <ConfirmDialog
          title={users.confirmOne(users.actions[action], nameOf(user))}
          button={users.actions[action]}
          isDangerous={action === "remove"}
          change={() => BULK_ACTIONS[action].run(api, user.id, inOrg(orgId))}
          onDone={() => {
            setAction(undefined);
            if (action === "remove") go(toPath({ page: "users", orgId }));
            else onChanged();
          }}
          onClose={() => setAction(undefined)}
        >
          {action === "remove" && <p>{users.removeText}</p>}
        </ConfirmDialog>
      )}
    </div>
  );
}

function possibleIn(state: UserState): BulkAction[] {
  switch (state) {
    case UserState.ACTIVE:
    case UserState.INITIAL:
      return ["lock", "deactivate", "remove"];
    case UserState.LOCKED:
      return ["unlock", "remove"];
    case UserState.INACTIVE:
      return ["reactivate", "remove"];
    default:
      return [];
  }
}
