import { useState } from "preact/hooks";
import { IDPState } from "../../../gen/signet/v1/idp_config_pb.js";
import type { CheckProviderResponse } from "../../../gen/signet/v1/provider_calls_pb.js";
import type { Provider } from "../../../gen/signet/v1/provider_pb.js";
import { ActionButton, Actions, removalOf } from "../../parts/actions.tsx";
import { Button } from "../../parts/button.tsx";
import { Facts, ItemScreen, ProblemNote, Section } from "../../parts/screen.tsx";
import { ActiveState, Copyable, GuideLink, Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { useSession } from "../../state/session.ts";
import { useAction } from "../../state/use-action.ts";
import { useLoad } from "../../state/use-load.ts";
import { KINDS, kindOf, type ProviderKind } from "./kinds.ts";
import { type ProviderOwner, useOwner } from "./owner.ts";
import { ProviderForm } from "./provider-form.tsx";
import { isWithoutSettings, NEW_PROVIDER, toRequest, toValues } from "./provider-values.ts";

export function IdpPage({ orgId, id }: { orgId?: string; id: string }) {
  const { idps } = texts.value;
  const owner = useOwner(orgId);
  const found = useLoad(`idp ${orgId} ${id}`, async (signal) => (await owner.calls.get({ id }, { signal })).idp);
  const list = { title: orgId === undefined ? idps.ofInstance : idps.title, path: owner.pathTo() };
  return (
    <ItemScreen kind={idps.idp} list={list} found={found} nameOf={({ name }) => name}>
      {(idp) => owner.mayChange !== undefined && <Parts owner={owner} idp={idp} onChanged={found.reload} />}
    </ItemScreen>
  );
}

interface PartsProps {
  readonly owner: ProviderOwner;
  readonly idp: Provider;
  readonly onChanged: () => void;
}

function Parts({ owner, idp, onChanged }: PartsProps) {
  const { idps, orgs, apps } = texts.value;
  const { id, state, type, details } = idp;
  const kind = kindOf(type);
  const isOffered = state === IDPState.IDP_STATE_ACTIVE;
  const maySetUp = owner.mayChange && owner.owns(idp);
  // While it is set up, the parts are steps.
  const title = (step: number, text: string) => (maySetUp && !isOffered ? `${step}. ${text}` : text);
  const stored = toStored(idp);
  const isDraft = isWithoutSettings(kind, stored);
  /** In place of what needs the settings. */
  const draft = <p class="quiet">{idps.check.draft}</p>;
  async function latest() {
    const { idp: now } = await owner.calls.get({ id });
    return now && toStored(now);
  }
  return (
    <>
      <Facts
        facts={[
          [orgs.state, <ActiveState isActive={isOffered} />],
          [apps.kind, idps.kinds[kind].name],
          [orgs.id, <Copyable text={id} />],
          [orgs.created, <Time at={details?.creationDate} />],
        ]}
      />
      {owner.mayChange && <IdpActions owner={owner} idp={idp} onChanged={onChanged} />}
      <UrlsSection title={title(1, idps.urls)} kind={kind} id={id} />
      <Section title={title(2, idps.settings)}>
        <ProviderForm
          {...{ kind, stored, isNew: isDraft, owner, latest, onSaved: onChanged }}
          save={(values) => owner.calls.update[kind]({ id, ...toRequest(values) })}
        />
      </Section>
      {maySetUp && (
        <Section title={title(3, idps.check.title)}>
          {/* What was found before a change no longer counts. */}
          {isDraft ? draft : <Check key={`${state} ${JSON.stringify(stored)}`} {...{ owner, idp, onChanged }} />}
        </Section>
      )}
      {maySetUp && !isOffered && (
        <Section title={title(4, idps.offer.title)}>
          {isDraft ? draft : <Offer {...{ owner, idp, onChanged }} />}
        </Section>
      )}
    </>
  );
}

/** A draft has the settings of a new provider. */
function toStored(idp: Provider) {
  const [kind, values] = [kindOf(idp.type), toValues(idp)];
  if (!isWithoutSettings(kind, values)) return values;
  return { ...NEW_PROVIDER, name: idp.name, requireAuthTime: kind !== "microsoft" };
}

function IdpActions({ owner: { calls, pathTo }, idp: { id, name, state }, onChanged }: PartsProps) {
  const { idps, done } = texts.value;
  const { actions } = idps;
  const offered = [
    state === IDPState.IDP_STATE_ACTIVE && {
      ...actions.deactivate,
      isDangerous: true,
      change: () => calls.deactivate({ idpId: id }),
      done: done.deactivated(name),
    },
    removalOf({ ...actions.remove, of: name, path: pathTo(), change: () => calls.remove({ id }) }),
  ];
  return <Actions of={name} actions={offered} onDone={onChanged} />;
}

/** Offers the provider on the sign-in page. A new one is not offered. */
function Offer({ owner: { calls }, idp: { id, name }, onChanged }: PartsProps) {
  const { offer } = texts.value.idps;
  return (
    <>
      <p>{offer.text}</p>
      <div class="buttons">
        <ActionButton
          {...{ label: offer.button, isPrimary: true, done: offer.done(name), onDone: onChanged }}
          change={() => calls.reactivate({ idpId: id })}
        />
      </div>
    </>
  );
}

/** Loads what the provider publishes, as a sign-in does, and shows what came. A test sign-in shows the rest. */
function Check({ owner: { calls }, idp: { id } }: PartsProps) {
  const { check } = texts.value.idps;
  const [found, setFound] = useState<CheckProviderResponse>();
  const action = useAction(async () => {
    const checked = await calls.check({ id });
    setFound({ ...checked, problems: checked.problems.filter((problem) => problem !== DEACTIVATED) });
  });
  return (
    <>
      <p class="hint">{check.hint}</p>
      <div class="buttons">
        <Button
          label={action.isRunning ? check.running : check.button}
          isInert={action.isRunning}
          onClick={() => action.run()}
        />
      </div>
      <ProblemNote problem={action.problem} />
      {found && !action.isRunning && action.problem === undefined && <Findings found={found} />}
      <p class="hint">{check.signInHint}</p>
      <div class="buttons">
        <a class="button secondary" href={`/ui/account/provider-test?idp=${id}`} target="_blank" rel="noreferrer">
          {check.signIn}
        </a>
      </div>
    </>
  );
}

/** The page says so, and it is tested before it is offered. */
const DEACTIVATED = "the provider is deactivated";

function Findings({ found }: { found: CheckProviderResponse }) {
  const { check, callback } = texts.value.idps;
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
      <Facts
        facts={[
          ...metadata.map(({ name, value }) => [name, <code key={name}>{value}</code>] as const),
          supportedScopes.length > 0 && [check.scopes, supportedScopes.join(" ")],
          [callback, <Copyable key={callback} text={callbackUrl} />],
        ]}
      />
      {!isGood && <p>{check.again}</p>}
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

/** What to do at the provider, with the URLs to enter there. */
function UrlsSection({ title, kind, id }: { title: string; kind: ProviderKind; id: string }) {
  const { issuer } = useSession().settings;
  const { idps } = texts.value;
  const urls =
    kind === "saml"
      ? [[idps.entityId, "saml/metadata"] as const, [idps.acs, "saml/acs"] as const]
      : [[idps.callback, "callback"] as const];
  return (
    <Section title={title}>
      <p>
        {idps.kinds[kind].before} {idps.kinds[kind].after}
      </p>
      <Facts
        facts={urls.map(([name, path]) => [name, <Copyable key={name} text={`${issuer}/ui/idps/${id}/${path}`} />])}
      />
      <p>
        <GuideLink page={`providers/${KINDS[kind].guide}`}>{idps.guide}</GuideLink>
      </p>
    </Section>
  );
}
