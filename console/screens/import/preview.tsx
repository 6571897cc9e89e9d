import { useState } from "preact/hooks";
import type { Messages } from "../../../src/moving/checking/tally.ts";
import { formatNumber } from "../../parts/time.tsx";
import { CountTable } from "./count-table.tsx";
import type { CheckedImport } from "./engine.ts";
import { ProviderChoice } from "./provider-choice.tsx";
import { importTexts } from "./texts/import-texts.ts";

interface PreviewProps {
  readonly checked: CheckedImport;
  readonly idps: Readonly<Record<string, string>>;
  /** Checks again, with other providers. */
  readonly onCheck: (idps: Readonly<Record<string, string>>) => void;
  readonly onStart: () => void;
  readonly onBack: () => void;
}

const COUNTS = ["records", "ready", "existing", "refused", "skipped"] as const;

/** The second step: what the import will do. */
export function Preview({ checked, idps, onCheck, onStart, onBack }: PreviewProps) {
  const own = importTexts.value;
  const { findings, providers, joined } = checked;
  const [chosen, setChosen] = useState(idps);
  const isChanged = JSON.stringify(chosen) !== JSON.stringify(idps);
  const { ready, existing } = findings;
  const fields = Object.entries(findings.fields).sort(([, one], [, other]) => other - one);
  return (
    <>
      <dl class="counts">
        {COUNTS.map((name) => (
          <div key={name}>
            <dt>{own.counts[name]}</dt>
            <dd>{formatNumber(findings[name])}</dd>
          </div>
        ))}
      </dl>
      {joined > 0 && <p>{own.joined(formatNumber(joined), formatNumber(findings.matched))}</p>}
      <div class="buttons">
        {ready + existing === 0 ? (
          <p>{own.nothing}</p>
        ) : (
          <button type="button" disabled={isChanged} onClick={onStart}>
            {ready > 0 ? own.start(ready, formatNumber(ready)) : own.compare(existing, formatNumber(existing))}
          </button>
        )}
        {isChanged && (
          <button type="button" onClick={() => onCheck(chosen)}>
            {own.checkAgain}
          </button>
        )}
        <button type="button" class="secondary" onClick={onBack}>
          {own.back}
        </button>
      </div>
      {providers.length > 0 && (
        <ProviderChoice orgId={checked.job.orgId} names={providers} chosen={chosen} onChange={setChosen} />
      )}
      <CountTable title={own.refusals} rows={findings.refusals} />
      <CountTable
        title={own.comesAcross}
        rows={fields.map(([field, count]) => ({ text: own.fields[field] ?? field, count, examples: [] }))}
      />
      <CountTable title={own.lost} rows={findings.lost} />
      <CountTable title={own.madeNames} rows={findings.madeNames} />
      <CountTable title={own.skips} rows={findings.skips} />
      <MessageList messages={findings.emails} title={own.emails} none={own.noEmails} />
      <MessageList messages={findings.sms} title={own.sms} none={own.noSms} />
      <p class="hint">{own.rest}</p>
    </>
  );
}

interface MessageListProps {
  readonly messages: Messages;
  readonly title: (count: string) => string;
  readonly none: string;
}

function MessageList({ messages: { count, reasons, examples }, title, none }: MessageListProps) {
  const own = importTexts.value;
  if (count === 0) return <p>{none}</p>;
  const rows = reasons.map((each) => ({ ...each, text: own.reasons[each.text] ?? each.text, examples: [] }));
  const [first] = rows;
  // The examples are those of all reasons.
  const shown = first === undefined ? [] : [{ ...first, examples }, ...rows.slice(1)];
  return <CountTable title={title(formatNumber(count))} rows={shown} />;
}
