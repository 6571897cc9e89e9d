import { useState } from "preact/hooks";
import type { Findings, Messages } from "../../../src/moving/checking/tally.ts";
import { Button } from "../../parts/button.tsx";
import { Select } from "../../parts/field.tsx";
import { ProblemNote } from "../../parts/screen.tsx";
import { Counts, formatNumber } from "../../parts/values.tsx";
import { useApi } from "../../state/session.ts";
import { useLoad } from "../../state/use-load.ts";
import { wordsFor } from "../../texts/words-for.ts";
import { refusalWords } from "./message-words.ts";
import { CountTable, UpdateTable } from "./tables.tsx";
import type { ImportTexts } from "./texts/en.ts";
import { importTexts } from "./texts/import-texts.ts";
import type { PhaseProps } from "./use-setup.ts";
import { fieldWords, lostWords } from "./words.ts";

const COUNTS = ["records", "ready", "existing", "toUpdate", "merged", "refused", "skipped"] as const;

/** The second step: what the import will do. */
export function Preview({ run: { check, start, reset }, setup, phase }: PhaseProps<"preview">) {
  const own = importTexts.value;
  const { values, setValues, toJob } = setup;
  const { idps } = values;
  const { checked, earlier } = phase;
  const { findings, providers, joined, updates } = checked;
  const isUpdate = checked.job.options.update === true;
  const [chosen, setChosen] = useState(idps);
  const isChanged = JSON.stringify(chosen) !== JSON.stringify(idps);
  const { ready, existing, toUpdate } = findings;
  const begin = () => start(checked);
  const checkAgain = () => {
    const changed = { ...values, idps: chosen };
    setValues(changed);
    void check(toJob(changed), earlier);
  };
  const fields = Object.entries(findings.fields).sort(([, one], [, other]) => other - one);
  return (
    <>
      <Counts names={COUNTS.filter((name) => isUpdate || name !== "toUpdate")} labels={own.counts} counts={findings} />
      {joined > 0 && <p>{own.joined(formatNumber(joined), formatNumber(findings.matched))}</p>}
      <div class="buttons">
        {ready + existing === 0 ? (
          <p>{own.nothing}</p>
        ) : (
          <Button label={describeStart(findings, own)} look="main" isDisabled={isChanged} onClick={begin} />
        )}
        {isChanged && <Button label={own.checkAgain} look="main" onClick={checkAgain} />}
        <Button label={own.back} onClick={() => reset({ earlier })} />
      </div>
      {providers.length > 0 && (
        <ProviderChoice orgId={checked.job.orgId} names={providers} chosen={chosen} onChange={setChosen} />
      )}
      {toUpdate > 0 && <UpdateTable title={own.counts.toUpdate} outcomes={updates} total={toUpdate} />}
      <CountTable title={own.unchanged} rows={findings.differences} wordsOf={fieldWords} />
      <CountTable title={own.refusals} rows={findings.refusals} wordsOf={refusalWords} />
      <CountTable
        title={own.comesAcross}
        rows={fields.map(([text, count]) => ({ text, count, examples: [] }))}
        wordsOf={(field) => wordsFor(own.fields, field)}
      />
      <CountTable title={own.lost} rows={findings.lost} wordsOf={lostWords} />
      <CountTable title={own.merges} rows={findings.merges} wordsOf={(reason) => wordsFor(own.mergedReasons, reason)} />
      <CountTable title={own.madeNames} rows={findings.madeNames} wordsOf={(rule) => wordsFor(own.names.rules, rule)} />
      <CountTable title={own.skips} rows={findings.skips} wordsOf={(reason) => wordsFor(own.skippedReasons, reason)} />
      <MessageList found={findings.emails} title={own.emails} none={own.noEmails} />
      <MessageList found={findings.sms} title={own.sms} none={own.noSms} />
      <p class="hint">{own.rest}</p>
    </>
  );
}

function describeStart({ ready, toUpdate, existing }: Findings, own: ImportTexts): string {
  if (ready > 0 && toUpdate > 0) return own.startBoth(formatNumber(ready), formatNumber(toUpdate));
  if (ready > 0) return own.start(ready, formatNumber(ready));
  if (toUpdate > 0) return own.startUpdate(toUpdate, formatNumber(toUpdate));
  return own.compare(existing, formatNumber(existing));
}

function MessageList({ found, title, none }: { found: Messages; title: (count: string) => string; none: string }) {
  const { count, reasons } = found;
  const own = importTexts.value;
  if (count === 0) return <p>{none}</p>;
  return (
    <CountTable title={title(formatNumber(count))} rows={reasons} wordsOf={(reason) => wordsFor(own.reasons, reason)} />
  );
}

interface ProviderChoiceProps {
  readonly orgId: string;
  /** The names of providers in the export. */
  readonly names: readonly string[];
  /** The id of the provider for each name; empty for one that is not imported. */
  readonly chosen: Readonly<Record<string, string>>;
  readonly onChange: (chosen: Readonly<Record<string, string>>) => void;
}

/** Which provider of the organization each provider of the export is. */
function ProviderChoice({ orgId, names, chosen, onChange }: ProviderChoiceProps) {
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
