import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import PostalMime from "postal-mime";
import type { TestService } from "../servers/service.ts";

/** Delivers what is queued. Returns the link in the last email to an address. */
export async function linkTo(service: TestService, address: string): Promise<string> {
  await service.delivery.deliverDue();
  const folder = join(service.config.dataDir, "mail");
  const mails = await Promise.all(
    readdirSync(folder)
      .sort()
      .map((name) => PostalMime.parse(readFileSync(join(folder, name)))),
  );
  const text = mails.findLast(({ to }) => to?.some((recipient) => recipient.address === address))?.text ?? "";
  const link = new RegExp(`^${service.config.publicUrl}\\S*code=\\S+$`, "m").exec(text)?.[0];
  if (link === undefined) throw new Error(`there is no email with a link to ${address}`);
  return link;
}
