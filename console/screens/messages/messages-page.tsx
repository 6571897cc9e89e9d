import { UserMessageChannel } from "../../../gen/signet/v1/user_message_pb.js";
import { inOrg } from "../../api/api.ts";
import { Blank } from "../../parts/blank.tsx";
import { formatCount } from "../../parts/count.ts";
import { currentPage, ListPages, toPageQuery } from "../../parts/list-pages.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { TableArea } from "../../parts/table-area.tsx";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { search as parameters, setSearch } from "../../state/location.ts";
import { usePermissions } from "../../state/permissions.ts";
import { toPath } from "../../state/routes.ts";
import { useLoad } from "../../state/use-load.ts";
import { MESSAGE_STATES, type MessageStateName, readMessageState } from "./message-search.ts";
import { kindOf, MessageStatus, RetryButton } from "./message-status.tsx";

/** The emails and SMS messages to users of the organization: those that wait, and what has become of others. */
export function MessagesPage({ orgId }: { orgId: string }) {
  const { api } = useSession();
  const { messages } = texts.value;
  const state = readMessageState(parameters.value.get("state"));
  const page = currentPage();
  const mayRetry = usePermissions(orgId).value?.can("user.write") ?? false;
  const found = useLoad(`messages ${orgId} ${state} ${page}`, (signal) =>
    api.management.listUserMessages(
      {
        query: toPageQuery(page, false),
        ...(state && { state: MESSAGE_STATES[state] }),
      },
      inOrg(orgId, signal),
    ),
  );
  const { value } = found;
  return (
    <Page title={messages.title}>
      <div class="tools">
        <StateChips current={state} />
      </div>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {value === undefined && <Skeleton isShown={found.isSlow} />}
      {value?.result.length === 0 && <Blank picture="letter" text={messages.none} />}
      {value && value.result.length > 0 && (
        <TableArea label={messages.title} isCurrent={found.isCurrent}>
          <table>
            <thead>
              <tr>
                <th scope="col">{messages.to}</th>
                <th scope="col">{messages.kind}</th>
                <th scope="col">{messages.state}</th>
                <th scope="col">{messages.queued}</th>
                {mayRetry && (
                  <th scope="col">
                    <span class="spoken">{messages.retry}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {value.result.map((message) => (
                <tr key={message.id}>
                  <th scope="row">
                    {message.userId === "" ? (
                      message.recipient
                    ) : (
                      <a href={toPath({ page: "user", orgId, userId: message.userId })}>{message.displayName}</a>
                    )}
                    {message.userId !== "" && (
                      <>
                        <br />
                        <span class="small">{message.recipient}</span>
                      </>
                    )}
                  </th>
                  <td>
                    {kindOf(message)}
                    <br />
                    <span class="small">
                      {message.channel === UserMessageChannel.SMS ? messages.sms : messages.email}
                    </span>
                  </td>
                  <td class="wrap">
                    <MessageStatus message={message} />
                  </td>
                  <td>
                    <Time at={message.creationDate} />
                  </td>
                  {mayRetry && (
                    <td>
                      <RetryButton orgId={orgId} message={message} onDone={found.reload} />
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </TableArea>
      )}
      {value && (
        <ListPages hasNext={Boolean(value.details?.nextPageToken)}>
          {messages.count(formatCount(value.details?.totalResult ?? 0n))}
        </ListPages>
      )}
    </Page>
  );
}

function StateChips({ current }: { current: MessageStateName | undefined }) {
  const { messages } = texts.value;
  return (
    <fieldset class="chips">
      <legend class="spoken">{messages.state}</legend>
      {(Object.keys(MESSAGE_STATES) as MessageStateName[]).map((state) => (
        <button
          key={state}
          type="button"
          class="chip"
          aria-pressed={state === current}
          onClick={() => setSearch({ state: state === current ? undefined : state, page: undefined })}
        >
          {messages.states[state]}
        </button>
      ))}
    </fieldset>
  );
}
