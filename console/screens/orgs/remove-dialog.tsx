import { useEffect, useState } from "preact/hooks";
import type { Org } from "../../../gen/signet/v1/org_pb.js";
import { inOrg } from "../../api/api.ts";
import { toProblem } from "../../api/problem.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { formatNumber } from "../../parts/time.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { go } from "../../state/location.ts";
import { toPath } from "../../state/routes.ts";
import { orgChanges } from "../../state/session.ts";
import { useAction } from "../../state/use-action.ts";

interface RemoveDialogProps {
  readonly org: Org;
  /** Whether the person sees the progress: the call of the organization itself works only once. */
  readonly ofInstance: boolean;
  readonly onClose: () => void;
}

interface Progress {
  readonly erasedUsers: bigint;
  readonly isComplete: boolean;
}

/** The service deletes in the background, and each call returns how far it is. */
const POLL_MS = 1_000;

/** Asks for the name of the organization, removes it, and shows how far the service is. */
export function RemoveDialog({ org, ofInstance, onClose }: RemoveDialogProps) {
  const session = useSession();
  const { api } = session;
  const { orgs, actions } = texts.value;
  const [name, setName] = useState("");
  const [progress, setProgress] = useState<Progress>();
  const request = () => api.admin.removeOrg({ orgId: org.id, confirmName: name });
  const action = useAction(async () => {
    if (ofInstance) setProgress(await request());
    else {
      await api.management.removeOrg({ confirmName: name }, inOrg(org.id));
      session.signOut();
    }
  });
  useEffect(() => {
    if (progress === undefined || progress.isComplete) return;
    const timer = setTimeout(async () => {
      try {
        setProgress(await request());
      } catch (thrown) {
        // The organization is gone, or this call failed and the next one may not.
        const isGone = toProblem(thrown).reason === "ORG_NOT_FOUND";
        setProgress({ ...progress, isComplete: isGone });
      }
    }, POLL_MS);
    return () => clearTimeout(timer);
  }, [progress]);
  const leave = () => {
    orgChanges.value += 1;
    go(toPath({ page: "orgs" }));
  };
  const title = orgs.removeOf(org.name);
  if (progress !== undefined) {
    const { erasedUsers, isComplete } = progress;
    return (
      <Dialog title={title} onClose={leave}>
        <p role="status">
          {isComplete ? orgs.removed(formatNumber(erasedUsers)) : orgs.removing(formatNumber(erasedUsers))}
        </p>
        {!isComplete && <progress aria-label={title} />}
        {!isComplete && <p class="small">{orgs.removingText}</p>}
        <div class="buttons">
          <button type="button" class="secondary" onClick={leave}>
            {actions.close}
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        <p>{orgs.removeText}</p>
        <Field
          label={orgs.confirmName(org.name)}
          value={name}
          onInput={setName}
          problem={action.problem}
          path="confirmName"
          isRequired
        />
        {!action.problem?.fields.has("confirmName") && <ProblemNote problem={action.problem} />}
        <div class="buttons">
          <button type="submit" class="danger" disabled={action.isRunning || name !== org.name}>
            {orgs.remove}
          </button>
          <button type="button" class="secondary" onClick={onClose}>
            {actions.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
