import { useState } from "preact/hooks";
import { inOrg } from "../../api/api.ts";
import { EditForm } from "../../parts/edit-form.tsx";
import { Field } from "../../parts/field.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";

interface NewPasswordProps {
  readonly orgId: string;
  readonly userId: string;
  readonly onSet: () => void;
}

/** Sets a password, for a user whom no email reaches. */
export function NewPassword({ orgId, userId, onSet }: NewPasswordProps) {
  const { api } = useSession();
  const { waysIn } = texts.value.user;
  const [password, setPassword] = useState("");
  const [mustChange, setMustChange] = useState(true);
  return (
    <details>
      <summary>{waysIn.setPassword}</summary>
      <p class="hint">{waysIn.setPasswordText}</p>
      <EditForm
        isChanged={password !== ""}
        isOffered
        button={waysIn.setPassword}
        save={() => api.management.setHumanPassword({ userId, password, noChangeRequired: !mustChange }, inOrg(orgId))}
        onSaved={() => {
          setPassword("");
          onSet();
        }}
        onReset={() => setPassword("")}
        fields={["password"]}
      >
        {(problem) => (
          <>
            <Field
              label={waysIn.newPassword}
              value={password}
              onInput={setPassword}
              problem={problem}
              path="password"
              isRequired
            />
            <label class="check">
              <input type="checkbox" checked={mustChange} onChange={() => setMustChange(!mustChange)} />
              {waysIn.mustChange}
            </label>
          </>
        )}
      </EditForm>
    </details>
  );
}
