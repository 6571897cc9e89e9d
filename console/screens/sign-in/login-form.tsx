import type { LoginPolicy } from "../../../gen/signet/v1/login_policy_pb.js";
import { requireUnchanged } from "../../api/problem.ts";
import { ActionButton } from "../../parts/actions.tsx";
import { EditForm } from "../../parts/edit-form.tsx";
import { Check, Field, LifetimeField } from "../../parts/field.tsx";
import { Section } from "../../parts/screen.tsx";
import { texts } from "../../state/language.ts";
import { type Form, oppositeOf, useForm } from "../../state/use-form.ts";
import type { SignInPart } from "./policy-calls.ts";
import { LIFETIMES, type LoginValues, toLoginRequest, toLoginValues } from "./policy-values.ts";

interface LoginFormProps extends SignInPart {
  readonly policy: LoginPolicy;
  readonly isInherited: boolean;
}

const GROUPS = {
  ways: [
    ...(["allowUsernamePassword", "allowPasskeys", "allowExternalIdp", "redirectToOnlyIdp"] as const),
    ...(["allowRegister", "allowDomainDiscovery"] as const),
  ],
  password: ["hidePasswordReset", "disableLoginWithEmail", "disableLoginWithPhone"],
  security: ["disableNewDeviceNotice", "forceMfa", "forceMfaLocalOnly"],
} as const satisfies Record<string, readonly (keyof LoginValues)[]>;

/** The API has the opposite of what the form offers. */
const OPPOSITE: ReadonlySet<string> = new Set([
  ...["hidePasswordReset", "disableLoginWithEmail", "disableLoginWithPhone", "disableNewDeviceNotice"],
]);

/** How users can sign in. It takes effect when it is saved. */
export function LoginForm({ calls, owner, mayChange, onChanged, policy, isInherited }: LoginFormProps) {
  const { signInPage: own } = texts.value;
  const stored = toLoginValues(policy);
  const form = useForm({
    ...{ stored, isReadOnly: !mayChange, onSaved: onChanged },
    async save(values) {
      const { policy: latest } = await calls.login();
      requireUnchanged(toLoginValues(latest), stored, own.stale);
      await calls.saveLogin(toLoginRequest(latest ?? policy, values), isInherited);
    },
  });
  return (
    <Section title={own.login}>
      <p class="hint">{isInherited ? own.loginInherited : own.loginHint[owner]}</p>
      <EditForm form={form}>
        {(Object.keys(GROUPS) as (keyof typeof GROUPS)[]).map((group) => (
          <fieldset class="group" key={group}>
            <legend>{own.groups[group]}</legend>
            {GROUPS[group].map((name) => (
              <Check
                key={name}
                label={own.settings[name]}
                {...(OPPOSITE.has(name) ? oppositeOf(form.field(name)) : form.field(name))}
              />
            ))}
          </fieldset>
        ))}
        <TimeFields form={form} />
        <Field label={own.defaultRedirectUri} hint={own.defaultRedirectUriHint} {...form.field("defaultRedirectUri")} />
      </EditForm>
      {mayChange && !isInherited && calls.resetLogin && (
        <ActionButton
          label={own.resetLogin}
          done={own.loginReset}
          isDangerous
          change={calls.resetLogin}
          onDone={onChanged}
        />
      )}
    </Section>
  );
}

/** Since when a second factor is required, and how long sign-ins last. */
function TimeFields({ form }: { form: Form<LoginValues> }) {
  const { signInPage: own } = texts.value;
  return (
    <>
      <Field
        label={own.forceMfaFrom}
        hint={own.forceMfaFromHint}
        type="datetime-local"
        {...form.field("forceMfaFrom")}
      />
      <fieldset class="group">
        <legend>{own.lifetimes}</legend>
        <p class="hint">{own.lifetimesHint}</p>
        <div class="fields">
          {LIFETIMES.map((name) => (
            <LifetimeField
              key={name}
              {...(own.lifetime[name] as { readonly label: string; readonly hint?: string })}
              {...form.field(name)}
            />
          ))}
        </div>
      </fieldset>
    </>
  );
}
