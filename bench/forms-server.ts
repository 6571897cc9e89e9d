import type { ServerProcess } from "./processes.ts";
import type { Setting } from "./setting.ts";

/** Starts a server for all forms of an import. Hashes are cheap, so that the statements take most of the time. */
export async function startFormsServer(
  setting: Setting,
  environment: Record<string, string> = {},
): Promise<{ readonly server: ServerProcess; readonly idpId: string }> {
  const server = await setting.startSignet({ BCRYPT_COST: "4", SMS_PROVIDER: "file", ...environment });
  const response = await fetch(`http://127.0.0.1:${server.port}/admin/v1/idps/oidc`, {
    method: "POST",
    headers: { authorization: `Bearer ${setting.token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Bench", clientId: "c", clientSecret: "s", issuer: "https://accounts.example.com" }),
  });
  const body = (await response.json()) as { idpId?: string };
  if (body.idpId === undefined) throw new Error(`the provider was not added: ${JSON.stringify(body)}`);
  return { server, idpId: body.idpId };
}
