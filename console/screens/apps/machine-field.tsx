import { TypeQuery_Type } from "../../../gen/signet/v1/user_search_pb.js";
import { inOrg } from "../../api/api.ts";
import type { Problem } from "../../api/problem.ts";
import { Select } from "../../parts/field.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { useLoad } from "../../state/use-load.ts";
import { nameOf } from "../users/describe-user.ts";

/** More machines than anybody chooses from. */
const SHOWN = 200;

interface MachineFieldProps {
  readonly orgId: string;
  readonly value: string;
  readonly onChange: (userId: string) => void;
  readonly problem: Problem | undefined;
  readonly isReadOnly?: boolean;
}

/** The machine user for whom a service gets tokens. */
export function MachineField({ orgId, value, onChange, problem, isReadOnly = false }: MachineFieldProps) {
  const { api } = useSession();
  const { apps } = texts.value;
  const found = useLoad(`machines ${orgId}`, async (signal) => {
    const queries = [{ query: { case: "typeQuery" as const, value: { type: TypeQuery_Type.MACHINE } } }];
    const { result } = await api.management.listUsers({ query: { limit: SHOWN }, queries }, inOrg(orgId, signal));
    return result.map((user) => ({ value: user.id, label: `${nameOf(user)} (${user.userName})` }));
  });
  const machines = found.value ?? [];
  const isListed = value === "" || machines.some((machine) => machine.value === value);
  const error = problem?.fields.get("serviceUserId");
  return (
    <>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <Select
        label={apps.serviceUser}
        value={value}
        options={[
          { value: "", label: apps.chooseMachine },
          ...machines,
          ...(isListed ? [] : [{ value, label: value }]),
        ]}
        onChange={onChange}
        isReadOnly={isReadOnly}
      />
      {error && <p class="error">{error}</p>}
      {found.value?.length === 0 && <p class="hint">{apps.noMachines}</p>}
    </>
  );
}
