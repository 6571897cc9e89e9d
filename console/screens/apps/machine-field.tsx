import { TypeQuery_Type } from "../../../gen/signet/v1/user_search_pb.js";
import { Select } from "../../parts/field.tsx";
import { ProblemNote } from "../../parts/screen.tsx";
import { texts } from "../../state/language.ts";
import { useApi } from "../../state/session.ts";
import type { Bound } from "../../state/use-form.ts";
import { useLoad } from "../../state/use-load.ts";
import { nameOf } from "../users/describe-user.ts";

/** More machines than anybody chooses from. */
const SHOWN = 200;

/** The machine user for whom a service gets tokens. */
export function MachineField({ orgId, ...bound }: Bound<string> & { readonly orgId: string }) {
  const { value } = bound;
  const { management } = useApi(orgId);
  const { apps } = texts.value;
  const found = useLoad(`machines ${orgId}`, async (signal) => {
    const queries = [{ query: { case: "typeQuery" as const, value: { type: TypeQuery_Type.MACHINE } } }];
    const { result } = await management.listUsers({ query: { limit: SHOWN }, queries }, { signal });
    return result.map((user) => [user.id, `${nameOf(user)} (${user.userName})`] as const);
  });
  const machines = found.value ?? [];
  const isListed = value === "" || machines.some(([id]) => id === value);
  const other = [value, value] as const;
  return (
    <>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <Select
        label={apps.serviceUser}
        {...bound}
        options={[["", apps.chooseMachine], ...machines, ...(isListed ? [] : [other])]}
        hint={found.value?.length === 0 ? apps.noMachines : undefined}
      />
    </>
  );
}
