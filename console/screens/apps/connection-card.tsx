import { Facts } from "../../parts/screen.tsx";
import { Copyable, SecretNote } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { useSession } from "../../state/session.ts";
import { useLoad } from "../../state/use-load.ts";
import type { Kind } from "./kinds.ts";

/** The endpoints of each kind of application, by their names in the discovery document. */
const ENDPOINTS: Readonly<Record<Kind, readonly string[]>> = {
  web: ["authorization", "token", "userinfo", "introspection", "end_session"],
  browser: ["authorization", "token", "userinfo", "end_session"],
  native: ["authorization", "token", "device_authorization", "userinfo", "end_session"],
  service: ["token", "introspection"],
};

interface ConnectionCardProps {
  readonly kind: Kind;
  readonly clientId: string;
  /** Empty if it is not known, or the application has none. */
  readonly clientSecret: string;
}

/** What an application needs to know of the service, to copy. */
export function ConnectionCard({ kind, clientId, clientSecret }: ConnectionCardProps) {
  const { issuer } = useSession().settings;
  const { apps } = texts.value;
  const discovery = `${issuer}/.well-known/openid-configuration`;
  const found = useLoad(`discovery ${issuer}`, async (signal): Promise<Record<string, unknown>> => {
    return await (await fetch(discovery, { signal })).json();
  });
  const urls = [...ENDPOINTS[kind].map((name) => `${name}_endpoint`), "jwks_uri"].flatMap((name) => {
    const url = found.value?.[name];
    return typeof url === "string" ? [[name, url] as const] : [];
  });
  return (
    <div class="panel">
      {clientSecret !== "" && <SecretNote label={apps.clientSecret} secret={clientSecret} />}
      <Facts
        facts={[
          [apps.issuer, <Copyable text={issuer} />],
          [apps.clientId, <Copyable text={clientId} />],
          [apps.discovery, <Copyable text={discovery} />],
          ...urls.map(([name, url]) => [<code key={name}>{name}</code>, <Copyable key={name} text={url} />] as const),
        ]}
      />
    </div>
  );
}
