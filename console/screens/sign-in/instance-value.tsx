import { Button } from "../../parts/button.tsx";
import { texts } from "../../state/language.ts";
import type { Form } from "../../state/use-form.ts";

interface InstanceValueProps<Values> {
  readonly form: Form<Values>;
  readonly name: keyof Values & string;
  /** What the setting is called. */
  readonly label: string;
  /** What the instance has; undefined for no comparison. */
  readonly inherited: Values | undefined;
  /** Writes a value as the form shows it. */
  readonly toText: (value: Values[keyof Values & string]) => string;
}

/** What the instance has for a setting of an organization, and a button that takes it over. */
export function InstanceValue<Values extends object>(props: InstanceValueProps<Values>) {
  const { form, name, label, inherited, toText } = props;
  const { ofInstance } = texts.value.signInPage;
  if (inherited === undefined) return null;
  const value = inherited[name];
  if (JSON.stringify(form.values[name]) === JSON.stringify(value)) {
    return <p class="hint of-instance">{ofInstance.same}</p>;
  }
  return (
    <p class="hint of-instance">
      {ofInstance.differs(toText(value) || ofInstance.nothing)}{" "}
      {!form.isReadOnly && (
        <Button
          label={ofInstance.use}
          name={`${label}: ${ofInstance.use}`}
          look="link"
          onClick={() => form.set({ [name]: value } as unknown as Partial<Values>)}
        />
      )}
    </p>
  );
}

/** A setting that is on or off. */
export function onOff(isOn: boolean): string {
  const { on, off } = texts.value.user.waysIn;
  return isOn ? on : off;
}
