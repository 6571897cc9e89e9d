import { useState } from "preact/hooks";
import type { User } from "../../../gen/signet/v1/user_pb.js";
import { Dialog, DialogButtons } from "../../parts/actions.tsx";
import { Button } from "../../parts/button.tsx";
import { texts } from "../../state/language.ts";
import type { Permissions } from "../../state/permissions.ts";
import { describeProblem } from "../../state/problem-texts.ts";
import { useApi } from "../../state/session.ts";
import { namesOf } from "../../state/tables.ts";
import { BULK_ACTIONS, type BulkAction, type BulkResult, runBulk } from "./bulk-actions.ts";
import { nameOf } from "./describe-user.ts";

interface BulkBarProps {
  readonly orgId: string;
  readonly selected: readonly User[];
  readonly permissions: Permissions;
  /** Called when users may have changed, and their results have been read. */
  readonly onDone: () => void;
}

/** The changes of the selected users. */
export function BulkBar({ orgId, selected, permissions, onDone }: BulkBarProps) {
  const { users } = texts.value;
  const [action, setAction] = useState<BulkAction>();
  const names = namesOf(BULK_ACTIONS);
  const offered = names.filter((name) => permissions.can(BULK_ACTIONS[name].permission));
  return (
    <div class={selected.length > 0 ? "bulk save-bar" : "bulk"}>
      <p role="status">{selected.length > 0 && users.selected(selected.length)}</p>
      {(selected.length > 0 ? offered : []).map((name) => (
        <Button
          key={name}
          label={users.actions[name]}
          look={name === "remove" ? "secondary danger" : "secondary"}
          onClick={() => setAction(name)}
        />
      ))}
      {action && (
        <BulkDialog
          orgId={orgId}
          action={action}
          users={selected}
          onClose={(hasChanged) => {
            setAction(undefined);
            if (hasChanged) onDone();
          }}
        />
      )}
    </div>
  );
}

interface BulkDialogProps {
  readonly orgId: string;
  readonly action: BulkAction;
  readonly users: readonly User[];
  readonly onClose: (hasChanged: boolean) => void;
}

/** Asks, and then shows what became of each user. */
function BulkDialog({ orgId, action, users: selected, onClose }: BulkDialogProps) {
  const { management } = useApi(orgId);
  const { users } = texts.value;
  const [results, setResults] = useState<readonly BulkResult[]>();
  // The list of the page changes meanwhile.
  const [chosen] = useState(selected);
  const isDone = results?.length === chosen.length;
  const run = async () => {
    setResults([]);
    await runBulk(management, action, chosen, (result) => setResults((before = []) => [...before, result]));
  };
  const close = () => {
    if (results === undefined || isDone) onClose(results !== undefined);
  };
  const failed = results?.filter(({ problem }) => problem !== undefined).length ?? 0;
  return (
    <Dialog title={users.confirm(users.actions[action], chosen.length)} onClose={close}>
      {results === undefined && <p>{users.actionTexts[action]}</p>}
      {results !== undefined && (
        <p role="status">{users.progress(results.length - failed, failed, chosen.length - results.length)}</p>
      )}
      <ul class="results">
        {(results ?? chosen.map((user) => ({ user, problem: undefined }))).map(({ user, problem }) => (
          <li key={user.id}>
            <strong>{nameOf(user)}</strong>{" "}
            {results !== undefined && (
              <span class={problem ? "error" : "good"}>{problem ? describeProblem(problem) : users.succeeded}</span>
            )}
          </li>
        ))}
      </ul>
      <DialogButtons onClose={close} isLocked={results !== undefined && !isDone}>
        {results === undefined && (
          <Button label={users.actions[action]} look={action === "remove" ? "danger" : "main"} onClick={run} />
        )}
      </DialogButtons>
    </Dialog>
  );
}
