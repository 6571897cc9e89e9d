import { Check } from "../../parts/check.tsx";
import { texts } from "../../state/language.ts";
import type { Form } from "../../state/use-form.ts";
import type { ProviderValues } from "./provider-values.ts";

const OPTIONS = ["isLinkingAllowed", "isCreationAllowed", "isAutoCreation", "isAutoUpdate", "isAutoLinking"] as const;

/** What people who are not linked can do. An option that needs another one turns it on. */
export function OptionsFields({ form, isReadOnly }: { form: Form<ProviderValues>; isReadOnly: boolean }) {
  const { idps } = texts.value;
  const change = (name: (typeof OPTIONS)[number], isOn: boolean) =>
    form.set({
      [name]: isOn,
      ...(name === "isAutoCreation" && isOn && { isCreationAllowed: true }),
      ...(name === "isCreationAllowed" && !isOn && { isAutoCreation: false }),
      ...(name === "isAutoLinking" && isOn && { isLinkingAllowed: true }),
      ...(name === "isLinkingAllowed" && !isOn && { isAutoLinking: false }),
    });
  return (
    <fieldset class="group">
      <legend>{idps.options}</legend>
      {OPTIONS.map((name) => (
        <Check
          key={name}
          label={idps.fields[name].label}
          hint={idps.fields[name].hint}
          isOn={form.values[name]}
          onChange={(isOn) => change(name, isOn)}
          isReadOnly={isReadOnly}
        />
      ))}
    </fieldset>
  );
}
