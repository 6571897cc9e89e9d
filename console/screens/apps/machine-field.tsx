import { IdField } from "../../parts/pick-field.tsx";
import { texts } from "../../state/language.ts";
import type { Bound } from "../../state/use-form.ts";
import { useUserChoices } from "../users/choices.ts";

/** The machine user for whom a service gets tokens. */
export function MachineField({ orgId, ...bound }: Bound<string> & { readonly orgId: string }) {
  const { serviceUser: label, chooseMachine: placeholder, noMachines: none } = texts.value.apps;
  return <IdField {...{ label, placeholder, none, ...useUserChoices(orgId, "machine"), ...bound }} />;
}
