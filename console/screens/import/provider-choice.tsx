import { Select } from "../../parts/field.tsx";
import { ProblemNote } from "../../parts/screen.tsx";
import { useApi } from "../../state/session.ts";
import { useLoad } from "../../state/use-load.ts";
import { importTexts } from "./texts/import-texts.ts";

interface ProviderChoiceProps {
  readonly orgId: string;
  /** The names of providers in the export. */
  readonly names: readonly string[];
  /** The id of the provider for each name; empty for one that is not imported. */
  readonly chosen: Readonly<Record<string, string>>;
  readonly onChange: (chosen: Readonly<Record<string, string>>) => void;
}

/** Which provider of the organization each provider of the export is. */
export function ProviderChoice({ orgId, names, chosen, onChange }: ProviderChoiceProps) {
  const { management } = useApi(orgId);
  const { providers: own } = importTexts.value;
  const found = useLoad(`providers ${orgId}`, async (signal) => {
    return (await management.listOrgIDPs({ query: { asc: true, limit: 100 } }, { signal })).result;
  });
  const { value } = found;
  const isEmpty = value?.length === 0;
  const options = [["", own.lost] as const, ...(value ?? []).map(({ id, name }) => [id, name] as const)];
  return (
    <section class="part">
      <h2>{own.title}</h2>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <p class="hint">{isEmpty ? `${own.none} ${names.join(", ")}` : own.hint}</p>
      {!isEmpty && value && (
        <div class="fields">
          {names.map((name) => (
            <Select
              key={name}
              label={name}
              value={chosen[name] ?? ""}
              options={options}
              onInput={(id) => {
                const { [name]: _, ...others } = chosen;
                onChange(id === "" ? others : { ...others, [name]: id });
              }}
            />
          ))}
        </div>
      )}
    </section>
  );
}
