import type { ScimRequest } from "../../../gen/signet/v1/scim_pb.js";
import { Button } from "../../parts/button.tsx";
import { Chips, List, useList } from "../../parts/list-screen.tsx";
import { formatNumber, Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { search } from "../../state/location.ts";
import { toPath } from "../../state/paths.ts";
import { useApi } from "../../state/session.ts";
import { wordsFor } from "../../texts/words-for.ts";
import { type NamedConnection, senderOf } from "./directory-status.tsx";
import { scimTexts } from "./scim-texts.ts";

/** What the directory has sent, the latest first, and what came of it. */
export function RequestsTab({ orgId, id, name }: NamedConnection) {
  const { management } = useApi(orgId);
  const own = scimTexts.value;
  const failedOnly = search.value.get("state") === "failed";
  const found = useList(
    `scim requests ${orgId} ${id} ${failedOnly}`,
    (query, signal) => management.listScimRequests({ id, query, failedOnly }, { signal }),
    { asc: false },
  );
  const user = ({ userId }: ScimRequest) =>
    userId === "" ? (
      <span class="quiet">–</span>
    ) : (
      <a href={toPath({ page: "user", orgId, id: userId })}>{own.showUser}</a>
    );
  return (
    <>
      <div class="tools">
        <Chips
          legend={texts.value.users.filters}
          parameter="state"
          names={["failed"]}
          labels={{ failed: own.failedOnly }}
          current={failedOnly ? "failed" : undefined}
        />
        <Button label={own.refresh} onClick={found.reload} />
      </div>
      <List
        label={own.requests}
        found={found}
        keyOf={(request) => request.id}
        none={<p class="quiet">{own.noRequests}</p>}
        columns={[
          [own.request, ({ method, path }) => <code>{`${method} ${path}`}</code>, { class: "wrap" }],
          [own.outcome, (request) => <Outcome {...request} />, { class: "wrap" }],
          [own.user, user],
          [own.sender, ({ sender }) => <span title={sender}>{senderOf(sender, name)}</span>],
          [own.time, ({ creationDate }) => <Time at={creationDate} />],
        ]}
      />
    </>
  );
}

function Outcome({ outcome, status, detail }: ScimRequest) {
  const own = scimTexts.value;
  if (status >= 400) {
    return (
      <div>
        <span class="state error">{own.refused}</span> {detail || outcome}
      </div>
    );
  }
  const [, found] = /^found (\d+)$/.exec(outcome) ?? [];
  const words = found === undefined ? wordsFor(own.outcomes, outcome) : own.found(formatNumber(Number(found)));
  return <span class={`state ${colorOf(outcome)}`}>{words}</span>;
}

/** That of changes, and another one for those of a trial. */
function colorOf(outcome: string): string {
  if (outcome.startsWith("would ")) return "pending";
  return /^(added|changed|deactivated|removed)$/.test(outcome) ? "good" : "";
}
