import { readFileSync } from "node:fs";
import type { Attack, AttackContext } from "../attack.ts";
import { atLimit } from "./at-limit.ts";

const METADATA = new URL("../../../examples/saml-metadata.xml", import.meta.url);

const toResponse = (xml: string) => Buffer.from(xml).toString("base64");

/** As long as a form can be. */
const RESPONSES: readonly string[] = [
  `A${" ".repeat(60_000)}!`,
  toResponse("<a".repeat(24_000)),
  toResponse(`${"<a></b>".repeat(6_500)}</a>`),
  toResponse(`<a>${"<b/>".repeat(11_500)}</a>`),
  toResponse(`<a ${Array.from({ length: 5_000 }, (_, number) => `a${number}=""`).join(" ")}/>`),
];

/** Responses of strangers to a SAML provider of the attacker, at which sign-ins may begin. */
export const samlResponses: Attack = async (context) => {
  const added = await callProviders(context, "POST", "saml", {
    name: "Attacker",
    metadataXml: readFileSync(METADATA).toString("base64"),
    allowIdpInitiated: true,
  });
  context.count(`providers added ${added.status}`);
  const { id } = (await added.json()) as { id?: string };
  const path = `/ui/idps/${id}/saml/acs`;
  await atLimit(RESPONSES.map((response) => () => ({ path, form: new URLSearchParams({ SAMLResponse: response }) })))(
    context,
  );
  await callProviders(context, "DELETE", `templates/${id}`);
};

function callProviders({ plan }: AttackContext, method: string, path: string, body?: object): Promise<Response> {
  return fetch(`http://127.0.0.1:${plan.port}/management/v1/idps/${path}`, {
    method,
    headers: { authorization: `Bearer ${plan.token}`, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}
