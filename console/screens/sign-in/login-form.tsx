import type { ComponentChildren } from "preact";
import type { LoginPolicy } from "../../../gen/signet/v1/login_policy_pb.js";
import { requireUnchanged } from "../../api/problem.ts";
import { ActionButton } from "../../parts/actions.tsx";
import { EditForm } from "../../parts/edit-form.tsx";
import { Check, Field, LifetimeField } from "../../parts/field.tsx";
import { Section } from "../../parts/screen.tsx";
import { texts } from "../../state/language.ts";
import { namesOf } from "../../state/tables.ts";
import { type Form, oppositeOf, useForm } from "../../state/use-form.ts";
import { InstanceValue, onOff } from "./instance-value.tsx";
import type { SignInPart } from "./policy-calls.ts";
import { LIFETIMES, type LoginValues, toLoginRequest, toLoginValues } from "./policy-values.ts";

interface LoginFormProps extends SignInPart {
  readonly policy: LoginPolicy;
  readonly isInherited: boolean;
  /** What the instance has, to compare it with. */
  readonly inherited: LoginValues | undefined;
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
const OPPOSITE: ReadonlySet<string> = new Set([...GROUPS.password, "disableNewDeviceNotice"]);

/** How users can sign in. It takes effect when it is saved. */
export function LoginForm({ calls, owner, mayChange, onChanged, policy, isInherited, inherited }: LoginFormProps) {
  const { signInPage: own } = texts.value;
  const stored = toLoginValues(policy);
  const form = useForm({
    ...{ stored, isReadOnly: !mayChange, onSaved: onChanged },
    async save(values) {
      const { policy: latest } = await calls.login();
      requireUnchanged(toLoginValues(latest), stored);
      await calls.saveLogin(toLoginRequest(latest ?? policy, values), isInherited);
    },
  });
  const ofInstance = (name: keyof LoginValues, label: string) => (
    <InstanceValue {...{ form, name, label, inherited }} toText={(value) => toText(value, OPPOSITE.has(name))} />
  );
  return (
    <Section title={own.login}>
      <p class="hint">{isInherited ? own.loginInherited : own.loginHint[owner]}</p>
      {inherited && <p class="hint">{own.ofInstance.hint}</p>}
      <EditForm form={form}>
        {namesOf(GROUPS).map((group) => (
          <fieldset class="group" key={group}>
            <legend>{own.groups[group]}</legend>
            {GROUPS[group].map((name) => (
              <div key={name}>
                <Check
                  label={own.settings[name]}
                  {...(OPPOSITE.has(name) ? oppositeOf(form.field(name)) : form.field(name))}
                />
                {ofInstance(name, own.settings[name])}
              </div>
            ))}
          </fieldset>
        ))}
        <TimeFields form={form} ofInstance={ofInstance} />
        <Field label={own.defaultRedirectUri} hint={own.defaultRedirectUriHint} {...form.field("defaultRedirectUri")} />
        {ofInstance("defaultRedirectUri", own.defaultRedirectUri)}
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

/** A value as the form shows it. */
function toText(value: LoginValues[keyof LoginValues], isOpposite: boolean): string {
  if (typeof value === "boolean") return onOff(value !== isOpposite);
  if (typeof value === "string") return value.replace("T", " ");
  return value.amount && `${value.amount} ${texts.value.lifetimes.units[value.unit]}`;
}

/** Shows what the instance has for a setting. */
type OfInstance = (name: keyof LoginValues, label: string) => ComponentChildren;

/** Since when a second factor is required, and how long sign-ins last. */
function TimeFields({ form, ofInstance }: { form: Form<LoginValues>; ofInstance: OfInstance }) {
  const { signInPage: own } = texts.value;
  return (
    <>
      <Field
        label={own.forceMfaFrom}
        hint={own.forceMfaFromHint}
        type="datetime-local"
        {...form.field("forceMfaFrom")}
      />
      {ofInstance("forceMfaFrom", own.forceMfaFrom)}
      <fieldset class="group">
        <legend>{own.lifetimes}</legend>
        <p class="hint">{own.lifetimesHint}</p>
        <div class="fields">
          {LIFETIMES.map((name) => (
            <div key={name}>
              <LifetimeField
                {...(own.lifetime[name] as { readonly label: string; readonly hint?: string })}
                {...form.field(name)}
              />
              {ofInstance(name, own.lifetime[name].label)}
            </div>
          ))}
        </div>
      </fieldset>
    </>
  );
}
