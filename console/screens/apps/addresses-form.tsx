import { Check } from "../../parts/check.tsx";
import { Field } from "../../parts/field.tsx";
import { ListField } from "../../parts/list-field.tsx";
import { texts } from "../../state/language.ts";
import { AppForm, type AppPart } from "./app-form.tsx";
import { UrisField } from "./uris-field.tsx";

const NAMES = [
  "redirectUris",
  "postLogoutRedirectUris",
  "additionalOrigins",
  "backChannelLogoutUri",
  "devMode",
] as const;

/** Where the browser returns to, and who may call. */
export function AddressesForm(part: AppPart) {
  const { apps } = texts.value;
  return (
    <AppForm {...part} title={apps.steps.addresses} names={NAMES}>
      {({ values, set }, problem, isReadOnly) => (
        <>
          <UrisField
            label={apps.redirectUris}
            hint={apps.redirectUrisHint}
            kind={part.kind}
            devMode={values.devMode}
            values={values.redirectUris}
            onChange={(redirectUris) => set({ redirectUris })}
            problem={problem}
            path="redirectUris"
            isReadOnly={isReadOnly}
          />
          <UrisField
            label={apps.signOutUris}
            kind={part.kind}
            devMode={values.devMode}
            values={values.postLogoutRedirectUris}
            onChange={(postLogoutRedirectUris) => set({ postLogoutRedirectUris })}
            problem={problem}
            path="postLogoutRedirectUris"
            isReadOnly={isReadOnly}
          />
          <ListField
            label={apps.origins}
            hint={apps.originsHint}
            values={values.additionalOrigins}
            onChange={(additionalOrigins) => set({ additionalOrigins })}
            problem={problem}
            path="additionalOrigins"
            isReadOnly={isReadOnly}
            placeholder="https://app.example.com"
          />
          <Field
            label={apps.backChannel}
            hint={apps.backChannelHint}
            value={values.backChannelLogoutUri}
            onInput={(backChannelLogoutUri) => set({ backChannelLogoutUri })}
            problem={problem}
            path="backChannelLogoutUri"
            isReadOnly={isReadOnly}
          />
          <Check
            label={apps.devMode}
            hint={apps.devModeHint}
            isOn={values.devMode}
            onChange={(devMode) => set({ devMode })}
            isReadOnly={isReadOnly}
          />
        </>
      )}
    </AppForm>
  );
}
