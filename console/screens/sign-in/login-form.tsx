import { useEffect } from "preact/hooks";
import type { LoginPolicy } from "../../../gen/signet/v1/login_policy_pb.js";
import { StaleError } from "../../api/problem.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { Check } from "../../parts/check.tsx";
import { EditForm } from "../../parts/edit-form.tsx";
import { Field } from "../../parts/field.tsx";
import { LifetimeField } from "../../parts/lifetime-field.tsx";
import { texts } from "../../state/language.ts";
import { useForm } from "../../state/use-form.ts";
import { Section } from "../user/section.tsx";
import { LIFETIMES, type LoginValues, toLoginRequest, toLoginValues } from "./policy-values.ts";
import type { SignInPart } from "./sign-in-page.tsx";

interface LoginFormProps extends SignInPart {
  readonly policy: LoginPolicy;
  readonly isInherited: boolean;
  readonly onValues: (values: LoginValues) => void;
}

const GROUPS = {
  ways: [
    ...(["allowUsernamePassword", "allowPasskeys", "allowExternalIdp", "redirectToOnlyIdp"] as const),
    ...(["allowRegister", "allowDomainDiscovery"] as const),
  ],
  password: ["hidePasswordReset", "disableLoginWithEmail", "disableLoginWithPhone"],
  security: ["disableNewDeviceNotice", "forceMfa", "forceMfaLocalOnly"],
} as const satisfies Record<string, readonly (keyof LoginValues)[]>;

/** How users can sign in. It takes effect when it is saved. */
export function LoginForm({ calls, owner, mayChange, onChanged, policy, isInherited, onValues }: LoginFormProps) {
  const { signInPage: own } = texts.value;
  const stored = toLoginValues(policy);
  const form = useForm(stored);
  const { values } = form;
  useEffect(() => onValues(values), [values]);

  async function save() {
    const { policy: latest } = await calls.login();
    if (latest === undefined || JSON.stringify(toLoginValues(latest)) !== JSON.stringify(stored)) {
      throw new StaleError(own.stale);
    }
    await calls.saveLogin(toLoginRequest(latest, values), isInherited);
  }

  return (
    <Section title={own.login}>
      <p class="hint">{isInherited ? own.loginInherited : own.loginHint[owner]}</p>
      <EditForm
        isChanged={form.changed.length > 0}
        isOffered={mayChange}
        save={save}
        onSaved={onChanged}
        onReset={form.reset}
        fields={["defaultRedirectUri", "forceMfaFrom", ...LIFETIMES]}
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
              label={own.forceMfaFrom}
              hint={own.forceMfaFromHint}
              type="datetime-local"
              value={values.forceMfaFrom}
              onInput={(forceMfaFrom) => form.set({ forceMfaFrom })}
              problem={problem}
              path="forceMfaFrom"
              isReadOnly={!mayChange}
            />
            <fieldset class="group">
              <legend>{own.lifetimes}</legend>
              <p class="hint">{own.lifetimesHint}</p>
              <div class="fields">
                {LIFETIMES.map((name) => (
                  <LifetimeField
                    key={name}
                    label={own.lifetime[name].label}
                    hint={own.lifetime[name].hint}
                    value={values.lifetimes[name]}
                    onInput={(value) => form.set({ lifetimes: { ...values.lifetimes, [name]: value } })}
                    problem={problem}
                    path={name}
                    isReadOnly={!mayChange}
                  />
                ))}
              </div>
            </fieldset>
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
      {mayChange && !isInherited && calls.resetLogin && (
        <ActionButton label={own.resetLogin} isDangerous change={calls.resetLogin} onDone={onChanged} />
      )}
    </Section>
  );
}
