import { ListField } from "../../parts/list-field.tsx";
import { texts } from "../../state/language.ts";
import { AppForm, type AppPart } from "./app-form.tsx";

/** The roles of the application, and which metadata of users it gets. */
export function ClaimsForm(part: AppPart) {
  const { apps } = texts.value;
  return (
    <AppForm {...part} title={apps.claims} names={["roles", "metadataClaims"]}>
      {({ values, set }, problem, isReadOnly) => (
        <>
          <ListField
            label={apps.roles}
            hint={apps.rolesHint}
            values={values.roles}
            onChange={(roles) => set({ roles })}
            problem={problem}
            path="roles"
            isReadOnly={isReadOnly}
            placeholder="editor"
          />
          <ListField
            label={apps.metadataClaims}
            hint={apps.metadataClaimsHint}
            values={values.metadataClaims}
            onChange={(metadataClaims) => set({ metadataClaims })}
            problem={problem}
            path="metadataClaims"
            isReadOnly={isReadOnly}
            placeholder="plan"
          />
        </>
      )}
    </AppForm>
  );
}
