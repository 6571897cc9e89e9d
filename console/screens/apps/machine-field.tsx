import { TypeQuery_Type } from "../../../gen/signet/v1/user_search_pb.js";
import { LoadedSelect } from "../../parts/loaded-select.tsx";
import { texts } from "../../state/language.ts";
import { useApi } from "../../state/session.ts";
import type { Bound } from "../../state/use-form.ts";
import { nameOf } from "../users/describe-user.ts";

/** More machines than anybody chooses from. */
const SHOWN = 200;

/** The machine user for whom a service gets tokens. */
export function MachineField({ orgId, ...bound }: Bound<string> & { readonly orgId: string }) {
  const { management } = useApi(orgId);
  const { apps } = texts.value;
  const load = async (signal: AbortSignal) => {
    const queries = [{ query: { case: "typeQuery" as const, value: { type: TypeQuery_Type.MACHINE } } }];
    const { result } = await management.listUsers({ query: { limit: SHOWN }, queries }, { signal });
    return result.map((user) => ({ id: user.id, name: `${nameOf(user)} (${user.userName})` }));
  };
  return (
    <LoadedSelect
      label={apps.serviceUser}
      none={apps.chooseMachine}
      emptyHint={apps.noMachines}
      id={`machines ${orgId}`}
      load={load}
      {...bound}
    />
  );
}
