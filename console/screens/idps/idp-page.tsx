import { useState } from "preact/hooks";
import { IDPOwnerType, IDPState } from "../../../gen/signet/v1/idp_config_pb.js";
import type { Provider } from "../../../gen/signet/v1/provider_pb.js";
import { StaleError } from "../../api/problem.ts";
import { ActiveState } from "../../parts/active-state.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { go } from "../../state/location.ts";
import { useLoad } from "../../state/use-load.ts";
import { Section } from "../user/section.tsx";
import { CheckSection } from "./check-section.tsx";
import { kindOf } from "./kinds.ts";
import { NextSteps } from "./next-steps.tsx";
import { toCalls, toWriteCalls } from "./provider-calls.ts";
import { ProviderForm } from "./provider-form.tsx";
import { toRequest, toValues } from "./provider-values.ts";
import { type ProviderOwner, useOwner } from "./use-owner.ts";

export function IdpPage({ orgId, id }: { orgId?: string; id: string }) {
  const { api } = useSession();
  const { idps, orgs } = texts.value;
  const owner = useOwner(orgId);
  const found = useLoad(`idp ${orgId} ${id}`, async (signal) => {
    return (await toCalls(api, orgId === undefined).get({ id }, owner.call(signal))).idp;
  });
  const idp = found.value;
  const back = (
    <a class="back" href={owner.pathTo()}>
      {orgId === undefined ? idps.ofInstance : idps.title}
    </a>
  );
  if (idp === undefined || owner.mayChange === undefined) {
    return (
      <Page title={idps.idp} tools={back}>
        <ProblemNote problem={found.problem} onRetry={found.reload} />
        {found.problem === undefined && <Skeleton isShown={found.isSlow} />}
      </Page>
    );
  }
  const kind = kindOf(idp.type);
  const stored = JSON.stringify(toValues(idp));
  const isOwn = orgId === undefined || idp.owner === IDPOwnerType.IDP_OWNER_TYPE_ORG;
  return (
    <Page title={idp.name} tools={back}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <dl>
        <dt>{orgs.state}</dt>
        <dd>
          <ActiveState isActive={idp.state === IDPState.IDP_STATE_ACTIVE} />
        </dd>
        <dt>{texts.value.apps.kind}</dt>
        <dd>{idps.kinds[kind]}</dd>
        <dt>{orgs.id}</dt>
        <dd>
          <Copyable text={idp.id} />
        </dd>
        <dt>{orgs.created}</dt>
        <dd>
          <Time at={idp.details?.creationDate} />
        </dd>
      </dl>
      {owner.mayChange && <IdpActions owner={owner} idp={idp} onChanged={found.reload} />}
      <NextSteps kind={kind} id={idp.id} />
      {/* What was found before a change no longer counts. */}
      {isOwn && <CheckSection key={`${idp.state} ${stored}`} owner={owner} idp={idp} />}
      <Section title={idps.settings}>
        <ProviderForm
          key={stored}
          kind={kind}
          stored={toValues(idp)}
          mayChange={owner.mayChange}
          mayTrust={owner.mayTrust}
          save={async (values) => {
            // The call replaces all settings.
            const { idp: latest } = await toCalls(api, orgId === undefined).get({ id }, owner.call());
            if (latest && JSON.stringify(toValues(latest)) !== stored) throw new StaleError(idps.stale);
            const calls = toWriteCalls(api, orgId === undefined)[kind];
            await calls.update({ id, ...toRequest(values) }, owner.call());
          }}
          onSaved={found.reload}
        />
      </Section>
    </Page>
  );
}

type Action = "deactivate" | "reactivate" | "remove";

function IdpActions({ owner, idp, onChanged }: { owner: ProviderOwner; idp: Provider; onChanged: () => void }) {
  const { api } = useSession();
  const { idps } = texts.value;
  const [action, setAction] = useState<Action>();
  const calls = toCalls(api, owner.orgId === undefined);
  const offered: readonly Action[] = [idp.state === IDPState.IDP_STATE_ACTIVE ? "deactivate" : "reactivate", "remove"];
  const changes: Readonly<Record<Action, () => Promise<unknown>>> = {
    deactivate: () => calls.deactivate({ idpId: idp.id }, owner.call()),
    reactivate: () => calls.reactivate({ idpId: idp.id }, owner.call()),
    remove: () => calls.remove({ id: idp.id }, owner.call()),
  };
  return (
    <div class="buttons">
      {offered.map((name) => (
        <button
          key={name}
          type="button"
          class={name === "remove" ? "secondary danger" : "secondary"}
          onClick={() => setAction(name)}
        >
          {idps.actions[name].label}
        </button>
      ))}
      {action && (
        <ConfirmDialog
          title={`${idps.actions[action].label}: ${idp.name}`}
          button={idps.actions[action].label}
          isDangerous={action !== "reactivate"}
          change={changes[action]}
          onDone={() => {
            setAction(undefined);
            if (action === "remove") go(owner.pathTo());
            else onChanged();
          }}
          onClose={() => setAction(undefined)}
        >
          <p>{idps.actions[action].text}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
