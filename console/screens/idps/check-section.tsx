import { Fragment } from "preact";
import { useState } from "preact/hooks";
import type { CheckProviderResponse } from "../../../gen/signet/v1/provider_calls_pb.js";
import type { Provider } from "../../../gen/signet/v1/provider_pb.js";
import { Copyable } from "../../parts/copyable.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { useAction } from "../../state/use-action.ts";
import { Section } from "../user/section.tsx";
import { toCalls } from "./provider-calls.ts";
import type { ProviderOwner } from "./use-owner.ts";

/** Loads what the provider publishes, as a sign-in does, and shows what came. */
export function CheckSection({ owner, idp }: { owner: ProviderOwner; idp: Provider }) {
  const { api } = useSession();
  const { check } = texts.value.idps;
  const [found, setFound] = useState<CheckProviderResponse>();
  const action = useAction(async () => {
    setFound(await toCalls(api, owner.orgId === undefined).check({ id: idp.id }, owner.call()));
  });
  return (
    <Section title={check.title}>
      <p class="hint">{check.hint}</p>
      <div class="buttons">
        <button type="button" class="secondary" disabled={action.isRunning} onClick={() => action.run()}>
          {action.isRunning ? check.running : check.button}
        </button>
      </div>
      <ProblemNote problem={action.problem} />
      {found && !action.isRunning && action.problem === undefined && <Findings found={found} />}
    </Section>
  );
}

function Findings({ found }: { found: CheckProviderResponse }) {
  const { check, callback, signInOnce } = texts.value.idps;
  const { problems, warnings, metadata, supportedScopes, isComplete, callbackUrl } = found;
  const isGood = problems.length === 0;
  return (
    <>
      <div class={isGood ? "notice good" : "notice bad"} role="status">
        <p>
          <strong>{isGood ? (isComplete ? check.good : check.goodSoFar) : check.bad}</strong>
        </p>
        <Lines lines={problems} />
      </div>
      {warnings.length > 0 && (
        <>
          <h3>{check.warnings}</h3>
          <Lines lines={warnings} />
        </>
      )}
      <dl>
        {metadata.map(({ name, value }) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
            </dd>
          </Fragment>
        ))}
        {supportedScopes.length > 0 && (
          <>
            <dt>{check.scopes}</dt>
            <dd>{supportedScopes.join(" ")}</dd>
          </>
        )}
        <dt>{callback}</dt>
        <dd>
          <Copyable text={callbackUrl} />
        </dd>
      </dl>
      <p>{isGood ? signInOnce : check.again}</p>
    </>
  );
}

/** What the service says, as it says it. */
function Lines({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <ul class="lines">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
