import { useState } from "preact/hooks";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { go } from "../../state/location.ts";
import { toPath } from "../../state/routes.ts";
import { useAction } from "../../state/use-action.ts";

/** Makes an organization, and shows it. */
export function NewOrgDialog({ onClose }: { onClose: () => void }) {
  const { api } = useSession();
  const { orgs, actions } = texts.value;
  const [name, setName] = useState("");
  const action = useAction(async () => {
    const { id } = await api.management.addOrg({ name });
    go(toPath({ page: "org", orgId: id }));
  });
  const isAtField = action.problem?.fields.has("name") ?? false;
  return (
    <Dialog title={orgs.add} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        <Field label={orgs.name} value={name} onInput={setName} problem={action.problem} path="name" isRequired />
        {!isAtField && <ProblemNote problem={action.problem} />}
        <div class="buttons">
          <button type="submit" disabled={action.isRunning}>
            {orgs.add}
          </button>
          <button type="button" class="secondary" onClick={onClose}>
            {actions.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
