import { useState } from "preact/hooks";
import { inOrg } from "../../api/api.ts";
import { StaleError } from "../../api/problem.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { EditForm } from "../../parts/edit-form.tsx";
import { Field } from "../../parts/field.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { humanOf } from "../users/describe-user.ts";
import { Section } from "./section.tsx";
import type { UserPart } from "./user-part.ts";

/** The phone number, and whether address and number are verified. The address itself is part of the profile. */
export function ContactSection({ orgId, user, mayChange, onChanged }: UserPart) {
  const { api } = useSession();
  const { contact, user: own, users } = texts.value;
  const { phone, email } = humanOf(user) ?? {};
  const stored = phone?.phone ?? "";
  const [number, setNumber] = useState(stored);
  const [isVerified, setVerified] = useState(false);
  const call = inOrg(orgId);
  const { id: userId } = user;

  async function save() {
    const { user: latest } = await api.management.getUserByID({ id: userId }, call);
    if (latest !== undefined && (humanOf(latest)?.phone?.phone ?? "") !== stored) throw new StaleError(own.stale);
    await api.management.updateHumanPhone({ userId, phone: number, isPhoneVerified: isVerified }, call);
  }

  return (
    <Section title={contact.title}>
      <EditForm
        isChanged={number !== stored}
        isOffered={mayChange}
        save={save}
        onSaved={onChanged}
        onReset={() => setNumber(stored)}
        fields={["phone"]}
      >
        {(problem) => (
          <>
            <div class="fields">
              <Field
                label={users.columns.phone}
                value={number}
                type="tel"
                onInput={setNumber}
                hint={stored === "" ? contact.phoneHint : phone?.isPhoneVerified ? own.verified : own.notVerified}
                problem={problem}
                path="phone"
                isRequired
                isReadOnly={!mayChange}
              />
            </div>
            {number !== stored && (
              <label class="check">
                <input type="checkbox" checked={isVerified} onChange={() => setVerified(!isVerified)} />
                {contact.isVerified}
              </label>
            )}
          </>
        )}
      </EditForm>
      {mayChange && (
        <div class="buttons">
          {stored !== "" && !phone?.isPhoneVerified && (
            <ActionButton
              label={contact.resendSms}
              done={own.waysIn.sent}
              change={() => api.management.resendHumanPhoneVerification({ userId }, call)}
              onDone={onChanged}
            />
          )}
          {stored !== "" && (
            <ActionButton
              label={contact.removePhone}
              isDangerous
              change={() => api.management.removeHumanPhone({ userId }, call)}
              onDone={onChanged}
            />
          )}
          {email !== undefined && !email.isEmailVerified && (
            <>
              <ActionButton
                label={contact.verifyEmail}
                done={own.waysIn.sent}
                change={() => api.management.updateHumanEmail({ userId, email: email.email }, call)}
                onDone={onChanged}
              />
              <ActionButton
                label={contact.markVerified}
                done={own.verified}
                change={() =>
                  api.management.updateHumanEmail({ userId, email: email.email, isEmailVerified: true }, call)
                }
                onDone={onChanged}
              />
            </>
          )}
        </div>
      )}
    </Section>
  );
}
