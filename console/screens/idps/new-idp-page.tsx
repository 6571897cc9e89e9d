import { Page } from "../../parts/page.tsx";
import { Steps } from "../../parts/steps.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { forgetUnsaved, go, search } from "../../state/location.ts";
import { NEW } from "../../state/routes.ts";
import { KindIcon } from "./kind-icon.tsx";
import { isKind, KIND_NAMES, KINDS, type ProviderKind } from "./kinds.ts";
import { toWriteCalls } from "./provider-calls.ts";
import { ProviderForm } from "./provider-form.tsx";
import { NEW_PROVIDER, toRequest } from "./provider-values.ts";
import { type ProviderOwner, useOwner } from "./use-owner.ts";

/** Adds a provider: first its kind, then its settings; its page then says what to do at the provider. */
export function NewIdpPage({ orgId }: { orgId?: string }) {
  const { idps, apps } = texts.value;
  const owner = useOwner(orgId);
  const given = search.value.get("kind");
  const kind = isKind(given) ? given : undefined;
  return (
    <Page
      title={idps.add}
      tools={
        <a class="back" href={owner.pathTo()}>
          {idps.title}
        </a>
      }
    >
      <Steps names={[apps.steps.kind, idps.settings, idps.next]} current={kind ? 1 : 0} />
      {kind ? (
        <NewProviderForm key={kind} owner={owner} kind={kind} />
      ) : (
        <ul class="cards">
          {KIND_NAMES.map((name) => (
            <li key={name}>
              <a href={`${owner.pathTo(NEW)}?kind=${name}`}>
                <KindIcon icon={KINDS[name].icon} />
                <strong>{idps.kinds[name]}</strong>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

function NewProviderForm({ owner, kind }: { owner: ProviderOwner; kind: ProviderKind }) {
  const { api } = useSession();
  const { idps } = texts.value;
  return (
    <>
      <p>
        {idps.before[kind]}{" "}
        <a href={`/docs/guide/providers/${KINDS[kind].guide}`} target="_blank" rel="noreferrer">
          {idps.guide}
        </a>
      </p>
      <ProviderForm
        kind={kind}
        stored={{ ...NEW_PROVIDER, name: KINDS[kind].name, requireAuthTime: kind !== "microsoft" }}
        isNew
        mayChange={owner.mayChange ?? false}
        mayTrust={owner.mayTrust}
        save={async (values) => {
          const calls = toWriteCalls(api, owner.orgId === undefined)[kind];
          const { id } = await calls.add(toRequest(values), owner.call());
          forgetUnsaved();
          go(owner.pathTo(id));
        }}
      />
    </>
  );
}
