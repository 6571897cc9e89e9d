import { useState } from "preact/hooks";
import { Gender, type User } from "../../../gen/signet/v1/user_pb.js";
import { inOrg } from "../../api/api.ts";
import { StaleError } from "../../api/problem.ts";
import { EditForm } from "../../parts/edit-form.tsx";
import { Field, Select } from "../../parts/field.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { humanOf } from "../users/describe-user.ts";
import { Section } from "./section.tsx";
import type { UserPart } from "./user-part.ts";

const PROFILE_FIELDS = ["firstName", "lastName", "nickName", "displayName", "preferredLanguage"] as const;
const FIELDS = [...PROFILE_FIELDS, "userName", "email"] as const;
type Values = Readonly<Record<(typeof FIELDS)[number], string> & { gender: Gender }>;

const GENDERS = [Gender.UNSPECIFIED, Gender.FEMALE, Gender.MALE, Gender.DIVERSE] as const;

/** The names, the gender, the user name and the address. */
export function ProfileSection({ orgId, user, mayChange, onChanged }: UserPart) {
  const { api } = useSession();
  const { fields, genders, ...own } = texts.value.user;
  const stored = toValues(user);
  const [values, setValues] = useState(stored);
  const differs = (name: keyof Values) => values[name] !== stored[name];

  /** Makes a call for each part that has changed. */
  async function save() {
    const call = inOrg(orgId);
    const userId = user.id;
    const { user: latest } = await api.management.getUserByID({ id: userId }, call);
    if (latest !== undefined && profileKey(latest) !== profileKey(user)) throw new StaleError(own.stale);
    const { userName, email, ...profile } = values;
    // The call replaces the whole profile.
    if ([...PROFILE_FIELDS, "gender" as const].some(differs)) {
      await api.management.updateHumanProfile({ userId, ...profile }, call);
    }
    if (differs("userName")) await api.management.updateUserName({ userId, userName }, call);
    if (differs("email")) await api.management.updateHumanEmail({ userId, email }, call);
  }

  return (
    <Section title={own.profile}>
      <EditForm
        isChanged={[...FIELDS, "gender" as const].some(differs)}
        isOffered={mayChange}
        save={save}
        onSaved={onChanged}
        onReset={() => setValues(stored)}
        fields={FIELDS}
      >
        {(problem) => (
          <div class="fields">
            {FIELDS.map((name) => (
              <Field
                key={name}
                label={fields[name]}
                value={values[name]}
                onInput={(value) => setValues({ ...values, [name]: value })}
                type={name === "email" ? "email" : "text"}
                {...(name === "email" && {
                  hint: humanOf(user)?.email?.isEmailVerified ? own.verified : own.notVerified,
                })}
                problem={problem}
                path={name}
                isRequired={name === "firstName" || name === "lastName" || name === "userName" || name === "email"}
                isReadOnly={!mayChange}
              />
            ))}
            <Select
              label={genders.label}
              value={String(values.gender)}
              options={GENDERS.map((gender) => ({ value: String(gender), label: genders[gender] }))}
              onChange={(gender) => setValues({ ...values, gender: Number(gender) })}
              isReadOnly={!mayChange}
            />
          </div>
        )}
      </EditForm>
    </Section>
  );
}

/** Equal as long as nothing that the form shows has changed. A sign-in, for example, is no such change. */
export function profileKey(user: User): string {
  return JSON.stringify(toValues(user));
}

function toValues(user: User): Values {
  const { profile, email } = humanOf(user) ?? {};
  return {
    firstName: profile?.firstName ?? "",
    lastName: profile?.lastName ?? "",
    nickName: profile?.nickName ?? "",
    displayName: profile?.displayName ?? "",
    preferredLanguage: profile?.preferredLanguage ?? "",
    gender: profile?.gender ?? Gender.UNSPECIFIED,
    userName: user.userName,
    email: email?.email ?? "",
  };
}
