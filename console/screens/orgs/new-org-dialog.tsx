import { useState } from "preact/hooks";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { go } from "../../state/location.ts";
import { toPath } from "../../state/routes.ts";
import { useAction } from "../../state/use-action.ts";

/** The fields of the owner, by their paths in the request. */
const OWNER_FIELDS = {
  firstName: "human.profile.firstName",
  lastName: "human.profile.lastName",
  email: "human.email.email",
} as const;

/** Makes an organization, with its first owner if there is one, and shows it. */
export function NewOrgDialog({ onClose }: { onClose: () => void }) {
  const { api } = useSession();
  const { orgs, actions, user } = texts.value;
  const [name, setName] = useState("");
  const [hasOwner, setHasOwner] = useState(true);
  const [owner, setOwner] = useState({ firstName: "", lastName: "", email: "" });
  const action = useAction(async () => {
    const id = hasOwner ? (await setUp()).orgId : (await api.management.addOrg({ name })).id;
    go(toPath({ page: "org", orgId: id }));
  });

  /** The address is also the user name. The owner gets an invitation. */
  function setUp() {
    const { firstName, lastName, email } = owner;
    const human = { userName: email, profile: { firstName, lastName }, email: { email } };
    return api.admin.setUpOrg({ org: { name }, user: { case: "human", value: human } });
  }

  const { problem } = action;
  const namePath = hasOwner ? "org.name" : "name";
  const paths: readonly string[] = [namePath, ...(hasOwner ? Object.values(OWNER_FIELDS) : [])];
  const isAtFields = problem !== undefined && [...problem.fields.keys()].some((path) => paths.includes(path));
  return (
    <Dialog title={orgs.add} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        <Field label={orgs.name} value={name} onInput={setName} problem={problem} path={namePath} isRequired />
        <label class="check">
          <input type="checkbox" checked={hasOwner} onChange={() => setHasOwner(!hasOwner)} />
          {orgs.withOwner}
        </label>
        {hasOwner && (
          <fieldset>
            <legend class="spoken">{orgs.owner}</legend>
            <p class="hint">{orgs.ownerHint}</p>
            {(Object.keys(OWNER_FIELDS) as (keyof typeof OWNER_FIELDS)[]).map((field) => (
              <Field
                key={field}
                label={user.fields[field]}
                value={owner[field]}
                type={field === "email" ? "email" : "text"}
                onInput={(value) => setOwner({ ...owner, [field]: value })}
                problem={problem}
                path={OWNER_FIELDS[field]}
                isRequired
              />
            ))}
          </fieldset>
        )}
        {!isAtFields && <ProblemNote problem={problem} />}
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
