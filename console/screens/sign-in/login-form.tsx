import { useEffect } from "preact/hooks";
import type { LoginPolicy } from "../../../gen/signet/v1/login_policy_pb.js";
import { inOrg } from "../../api/api.ts";
import { StaleError } from "../../api/problem.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { Check } from "../../parts/check.tsx";
import { EditForm } from "../../parts/edit-form.tsx";
import { Field } from "../../parts/field.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { useForm } from "../../state/use-form.ts";
import { Section } from "../user/section.tsx";
import { type LoginValues, toLoginRequest, toLoginValues } from "./policy-values.ts";
import type { SignInPart } from "./sign-in-page.tsx";

interface LoginFormProps extends SignInPart {
  readonly policy: LoginPolicy;
  readonly isInherited: boolean;
  readonly onValues: (values: LoginValues) => void;
}

const GROUPS = {
  ways: ["allowUsernamePassword", "allowPasskeys", "allowExternalIdp", "allowRegister"],
  password: ["hidePasswordReset", "disableLoginWithEmail", "disableLoginWithPhone"],
  security: ["forceMfa", "forceMfaLocalOnly", "disableNewDeviceNotice"],
} as const satisfies Record<string, readonly (keyof LoginValues)[]>;

/** How users can sign in. It takes effect when it is saved. */
export function LoginForm({ orgId, mayChange, onChanged, policy, isInherited, onValues }: LoginFormProps) {
  const { api } = useSession();
  const { signInPage: own } = texts.value;
  const stored = toLoginValues(policy);
  const form = useForm(stored);
  const { values } = form;
  const call = inOrg(orgId);
  useEffect(() => onValues(values), [values]);

  async function save() {
    const { policy: latest } = await api.management.getLoginPolicy({}, call);
    if (latest === undefined || JSON.stringify(toLoginValues(latest)) !== JSON.stringify(stored)) {
      throw new StaleError(own.stale);
    }
    const request = toLoginRequest(latest, values);
    if (isInherited) await api.management.addCustomLoginPolicy(request, call);
    else await api.management.updateCustomLoginPolicy(request, call);
  }

  return (
    <Section title={own.login}>
      <p class="hint">{isInherited ? own.loginInherited : own.loginHint}</p>
      <EditForm
        isChanged={form.changed.length > 0}
        isOffered={mayChange}
        save={save}
        onSaved={onChanged}
        onReset={form.reset}
        fields={["defaultRedirectUri"]}
      >
        {(problem) => (
          <>
            {(Object.keys(GROUPS) as (keyof typeof GROUPS)[]).map((group) => (
              <fieldset class="group" key={group}>
                <legend>{own.groups[group]}</legend>
                {GROUPS[group].map((name) => (
                  <Check
                    key={name}
                    label={own.settings[name]}
                    isOn={values[name]}
                    onChange={(isOn) => form.set({ [name]: isOn })}
                    isReadOnly={!mayChange}
                  />
                ))}
              </fieldset>
            ))}
            <Field
              label={own.defaultRedirectUri}
              hint={own.defaultRedirectUriHint}
              value={values.defaultRedirectUri}
              onInput={(defaultRedirectUri) => form.set({ defaultRedirectUri })}
              problem={problem}
              path="defaultRedirectUri"
              isReadOnly={!mayChange}
            />
          </>
        )}
      </EditForm>
      {mayChange && !isInherited && (
        <ActionButton
          label={own.resetLogin}
          isDangerous
          change={() => api.management.resetLoginPolicyToDefault({}, call)}
          onDone={onChanged}
        />
      )}
    </Section>
  );
}
