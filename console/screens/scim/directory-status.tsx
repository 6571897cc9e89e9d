import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { ProblemNote } from "../../parts/screen.tsx";
import { announce } from "../../state/announce.ts";
import { language } from "../../state/language.ts";
import { useApi } from "../../state/session.ts";
import { useLoad } from "../../state/use-load.ts";
import { scimTexts } from "./scim-texts.ts";

/** Between two looks at the log while the page is visible. */
const POLL_MS = 5_000;

/** A connection of an organization. */
export interface NamedConnection {
  readonly orgId: string;
  readonly id: string;
  readonly name: string;
}

/** Whether the directory has called yet, which the page finds out by itself. */
export function DirectoryStatus({ orgId, id, name }: NamedConnection) {
  const { management } = useApi(orgId);
  const own = scimTexts.value;
  const found = useLoad(`scim status ${orgId} ${id}`, async (signal) => {
    const { result } = await management.listScimRequests({ id, query: { limit: 1 } }, { signal });
    return { latest: result[0] };
  });
  const latest = found.value?.latest;
  const said = latest && own.called(senderOf(latest.sender, name), toAgo(latest.creationDate));
  const hasCalled = useRef<boolean | undefined>(undefined);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && found.reload(), POLL_MS);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (found.value === undefined) return;
    if (said && hasCalled.current === false) announce(said);
    hasCalled.current = latest !== undefined;
  }, [found.value]);
  return (
    <>
      <ProblemNote problem={found.problem} />
      {found.value && (
        <p class={said ? "notice good" : "panel"}>
          {said ?? own.noRequest} <Button label={own.refresh} look="link" onClick={found.reload} />
        </p>
      )}
    </>
  );
}

/** The directories that say in the header `user-agent` who they are. */
const SENDERS: readonly (readonly [ofHeader: RegExp, name: string])[] = [
  [/okta/i, "Okta"],
  [/azure|entra|microsoft/i, "Entra ID"],
  [/onelogin/i, "OneLogin"],
  [/jumpcloud/i, "JumpCloud"],
];

/**
 * What people call the sender of a request.
 *
 * @param header The header `user-agent`.
 * @param others The name of the sender if it does not say so itself.
 */
export function senderOf(header: string, others: string): string {
  return SENDERS.find(([ofHeader]) => ofHeader.test(header))?.[1] ?? others;
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Such as "20 seconds ago", in the language of the page. */
function toAgo(at: Timestamp | undefined): string {
  const seconds = at === undefined ? 0 : Math.max(0, Math.floor((Date.now() - timestampDate(at).getTime()) / 1_000));
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? ["second", 1];
  return new Intl.RelativeTimeFormat(language.value).format(-Math.floor(seconds / size), unit);
}
