import { useEffect } from "preact/hooks";
import { StaleError } from "../../api/problem.ts";
import { Check } from "../../parts/check.tsx";
import { ColorField } from "../../parts/color-field.tsx";
import { EditForm } from "../../parts/edit-form.tsx";
import { Field } from "../../parts/field.tsx";
import { texts } from "../../state/language.ts";
import { useForm } from "../../state/use-form.ts";
import { Section } from "../user/section.tsx";
import { type BrandingValues, toBrandingValues } from "./policy-values.ts";
import type { SignInPart } from "./sign-in-page.tsx";

interface BrandingFormProps extends SignInPart {
  readonly isInherited: boolean;
  readonly stored: BrandingValues;
  readonly onValues: (values: BrandingValues) => void;
}

const COLORS = ["primaryColor", "primaryColorDark"] as const;
const TEXTS = ["supportAddress", "termsUrl", "privacyUrl"] as const;

/** The name, the colors and the links of the pages. */
export function BrandingForm({ calls, mayChange, onChanged, isInherited, stored, onValues }: BrandingFormProps) {
  const { signInPage: own } = texts.value;
  const form = useForm(stored);
  const { values } = form;
  useEffect(() => onValues(values), [values]);

  async function save() {
    const latest = await calls.preview();
    // The call replaces all settings.
    if (JSON.stringify(toBrandingValues(latest.policy)) !== JSON.stringify(stored)) throw new StaleError(own.stale);
    await calls.saveBranding(values, isInherited);
  }

  return (
    <Section title={own.branding}>
      <EditForm
        isChanged={form.changed.length > 0}
        isOffered={mayChange}
        save={save}
        onSaved={onChanged}
        onReset={form.reset}
        fields={["name", ...COLORS, ...TEXTS]}
      >
        {(problem) => (
          <>
            <Field
              label={own.fields.name}
              value={values.name}
              onInput={(name) => form.set({ name })}
              problem={problem}
              path="name"
              maxLength={60}
              isReadOnly={!mayChange}
            />
            <div class="fields">
              {COLORS.map((name) => (
                <ColorField
                  key={name}
                  label={own.fields[name]}
                  value={values[name]}
                  onInput={(color) => form.set({ [name]: color })}
                  problem={problem}
                  path={name}
                  isReadOnly={!mayChange}
                />
              ))}
            </div>
            {TEXTS.map((name) => (
              <Field
                key={name}
                label={own.fields[name]}
                value={values[name]}
                onInput={(text) => form.set({ [name]: text })}
                problem={problem}
                path={name}
                isReadOnly={!mayChange}
              />
            ))}
            <Check
              label={own.fields.disableWatermark}
              isOn={values.disableWatermark}
              onChange={(disableWatermark) => form.set({ disableWatermark })}
              isReadOnly={!mayChange}
            />
          </>
        )}
      </EditForm>
    </Section>
  );
}
