import { Copyable } from "../../parts/copyable.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { Section } from "../user/section.tsx";
import { KINDS, type ProviderKind } from "./kinds.ts";

/** What to do at the provider, with the URLs to enter there. */
export function NextSteps({ kind, id }: { kind: ProviderKind; id: string }) {
  const { issuer } = useSession().settings;
  const { idps } = texts.value;
  const base = `${issuer}/ui/idps/${id}`;
  return (
    <Section title={idps.next}>
      <p>{idps.after[kind]}</p>
      <dl>
        {kind === "saml" ? (
          <>
            <dt>{idps.entityId}</dt>
            <dd>
              <Copyable text={`${base}/saml/metadata`} />
            </dd>
            <dt>{idps.acs}</dt>
            <dd>
              <Copyable text={`${base}/saml/acs`} />
            </dd>
          </>
        ) : (
          <>
            <dt>{idps.callback}</dt>
            <dd>
              <Copyable text={`${base}/callback`} />
            </dd>
          </>
        )}
      </dl>
      <p>
        {idps.signInOnce}{" "}
        <a href={`/docs/guide/providers/${KINDS[kind].guide}`} target="_blank" rel="noreferrer">
          {idps.guide}
        </a>
      </p>
    </Section>
  );
}
