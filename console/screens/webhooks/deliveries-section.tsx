import { inOrg } from "../../api/api.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { currentPage, ListPages, toPageQuery } from "../../parts/list-pages.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { TableArea } from "../../parts/table-area.tsx";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { search, setSearch } from "../../state/location.ts";
import { useLoad } from "../../state/use-load.ts";
import { Section } from "../user/section.tsx";
import { type DeliveryState, STATE_NAMES, STATES } from "./delivery-states.ts";
import { SendLatest } from "./send-latest.tsx";

interface DeliveriesSectionProps {
  readonly orgId: string;
  readonly id: string;
  readonly mayRetry: boolean;
  /** Whether anything is sent to the webhook now. */
  readonly isActive: boolean;
}

/** What was sent to the webhook, the latest first, and what became of it. */
export function DeliveriesSection({ orgId, id, mayRetry, isActive }: DeliveriesSectionProps) {
  const { api } = useSession();
  const { webhooks } = texts.value;
  const page = currentPage();
  const filter = STATE_NAMES.find((name) => name === search.value.get("state"));
  const found = useLoad(`deliveries ${orgId} ${id} ${filter} ${page}`, (signal) =>
    api.management.listWebhookDeliveries(
      { id, query: toPageQuery(page, false), ...(filter && { state: STATES[filter] }) },
      inOrg(orgId, signal),
    ),
  );
  const { value } = found;
  return (
    <Section title={webhooks.deliveries}>
      <div class="tools">
        <fieldset class="chips">
          <legend class="spoken">{texts.value.users.filters}</legend>
          {STATE_NAMES.map((name) => (
            <button
              key={name}
              type="button"
              class="chip"
              aria-pressed={name === filter}
              onClick={() => setSearch({ state: name === filter ? undefined : name, page: undefined })}
            >
              {webhooks.states[name]}
            </button>
          ))}
        </fieldset>
        <button type="button" class="secondary" onClick={found.reload}>
          {webhooks.refresh}
        </button>
        {mayRetry && isActive && <SendLatest orgId={orgId} id={id} onDone={found.reload} />}
      </div>
      {mayRetry && isActive && <p class="hint">{webhooks.sendLatestHint}</p>}
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {value === undefined && found.problem === undefined && <Skeleton isShown={found.isSlow} />}
      {value?.result.length === 0 && <p class="quiet">{webhooks.noDeliveries}</p>}
      {value && value.result.length > 0 && (
        <TableArea label={webhooks.eventTypes} isCurrent={found.isCurrent}>
          <table>
            <thead>
              <tr>
                <th scope="col">{webhooks.event}</th>
                <th scope="col">{webhooks.time}</th>
                <th scope="col">{texts.value.orgs.state}</th>
                <th scope="col">{webhooks.attempts}</th>
                <th scope="col">{webhooks.result}</th>
                {mayRetry && (
                  <th scope="col">
                    <span class="spoken">{webhooks.retry}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {value.result.map((delivery) => {
                const state = STATE_NAMES.find((name) => STATES[name] === delivery.state) ?? "waiting";
                return (
                  <tr key={delivery.id}>
                    <th scope="row">{delivery.eventType}</th>
                    <td>
                      <Time at={delivery.creationDate} />
                    </td>
                    <td>
                      <span class={`state ${COLORS[state]}`}>{webhooks.states[state]}</span>
                    </td>
                    <td>{delivery.attempts}</td>
                    <td class="wide">
                      {delivery.lastError || (delivery.endDate && <Time at={delivery.endDate} />)}
                      {delivery.nextAttemptDate && delivery.attempts > 0 && (
                        <p class="small">
                          {webhooks.nextAttempt} <Time at={delivery.nextAttemptDate} />
                        </p>
                      )}
                    </td>
                    {mayRetry && (
                      <td>
                        {state !== "sending" && (
                          <ActionButton
                            label={webhooks.retry}
                            name={`${webhooks.retry}: ${delivery.eventType}`}
                            change={() =>
                              api.management.retryWebhookDelivery({ id, deliveryId: delivery.id }, inOrg(orgId))
                            }
                            onDone={found.reload}
                          />
                        )}
                      </td>
                    )}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </TableArea>
      )}
      <ListPages hasNext={Boolean(value?.details?.nextPageToken)} />
    </Section>
  );
}

const COLORS: Readonly<Record<DeliveryState, string>> = { waiting: "", sending: "", sent: "good", failed: "error" };
