import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { FailedSignInRows } from "../../parts/failed-sign-in-rows.tsx";
import { Section } from "../../parts/screen.tsx";
import { texts } from "../../state/language.ts";
import { useApi } from "../../state/session.ts";
import { useLoad } from "../../state/use-load.ts";
import type { UserPart } from "./user-part.ts";

const DAYS_MS = 7 * 86_400_000;

/** The failed sign-ins of the last days, by network and browser. */
export function FailedSignInsSection({ orgId, user: { id: userId } }: UserPart) {
  const { management } = useApi(orgId);
  const found = useLoad(`failed sign-ins ${userId}`, async (signal) => {
    const since = timestampFromDate(new Date(Date.now() - DAYS_MS));
    return (await management.countFailedSignIns({ userId, since }, { signal })).sources;
  });
  return (
    <Section title={texts.value.failedSignIns.title}>
      <FailedSignInRows found={found} />
    </Section>
  );
}
