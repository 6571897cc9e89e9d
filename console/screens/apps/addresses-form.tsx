import { Check, Field } from "../../parts/field.tsx";
import { ListField } from "../../parts/list-field.tsx";
import { texts } from "../../state/language.ts";
import type { Form } from "../../state/use-form.ts";
import { AppForm, type AppPart, type AppValues } from "./app-form.tsx";
import type { Kind } from "./kinds.ts";
import { findRedirectUriProblem, isRejected } from "./redirect-uri.ts";

const NAMES = [
  ...(["redirectUris", "postLogoutRedirectUris", "additionalOrigins"] as const),
  ...(["backChannelLogoutUri", "devMode"] as const),
];

/** Where the browser returns to, and who may call. */
export function AddressesForm(part: AppPart) {
  const { apps } = texts.value;
  return (
    <AppForm {...part} title={apps.steps.addresses} names={NAMES}>
      {(form) => (
        <>
          <RedirectFields kind={part.kind} form={form} />
          <ListField
            label={apps.origins}
            hint={apps.originsHint}
            {...form.field("additionalOrigins")}
            placeholder="https://app.example.com"
          />
          <Field label={apps.backChannel} hint={apps.backChannelHint} {...form.field("backChannelLogoutUri")} />
          <Check label={apps.devMode} hint={apps.devModeHint} {...form.field("devMode")} />
        </>
      )}
    </AppForm>
  );
}

type Addresses = Pick<AppValues, "redirectUris" | "postLogoutRedirectUris" | "devMode">;

/** URIs to which the browser returns, each with what is wrong with it. */
export function RedirectFields({ kind, form }: { kind: Kind; form: Pick<Form<Addresses>, "values" | "field"> }) {
  const { apps } = texts.value;
  const describe = (uri: string) => {
    const problem = findRedirectUriProblem(uri.trim(), kind, form.values.devMode);
    return problem && { text: apps.uriProblems[problem], isRejected: isRejected(problem) };
  };
  return (
    <>
      <ListField
        label={apps.redirectUris}
        hint={apps.redirectUrisHint}
        describe={describe}
        placeholder={`${EXAMPLES[kind]}signed-in`}
        {...form.field("redirectUris")}
      />
      <ListField
        label={apps.signOutUris}
        hint={apps.signOutUrisHint}
        describe={describe}
        placeholder={`${EXAMPLES[kind]}signed-out`}
        {...form.field("postLogoutRedirectUris")}
      />
    </>
  );
}

const EXAMPLES: Readonly<Record<Kind, string>> = {
  web: "https://app.example.com/",
  browser: "https://app.example.com/",
  native: "com.example.app:/",
  service: "",
};
