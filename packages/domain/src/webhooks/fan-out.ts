import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import type { Tx } from '@uprez/db/database';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import type { EventRow } from '@uprez/db/queries/webhooks/events';
import { insertDeliveries, type NewDelivery } from '@uprez/db/queries/webhooks/webhook-deliveries';
import { type EndpointRow, lockEndpoints } from '@uprez/db/queries/webhooks/webhook-endpoints';
import { uuidv7 } from 'uuidv7';

/** Whether an endpoint is subscribed to an event. */
export const isSubscribed = (endpoint: EndpointRow, event: EventRow): boolean =>
  endpoint.kind === 'endpoint' &&
  endpoint.isSandbox === event.isSandbox &&
  event.type !== 'webhook.test' &&
  (endpoint.events.length === 0 || endpoint.events.includes(event.type));

export const makeDelivery = (
  endpoint: EndpointRow,
  event: Pick<EventRow, 'id'>,
  url: string | null = null,
): NewDelivery => ({
  id: uuidv7(),
  eventId: event.id,
  endpointId: endpoint.id,
  url,
  // Deliveries to the webhook URLs of individual jobs wait only for other deliveries to the same server.
  destination: url === null ? endpoint.id : `${endpoint.id} ${new URL(url).host}`,
});

type Owner = Pick<UserRow, 'id' | 'tier' | 'planVersion'>;

/** Creates the deliveries of events: to all subscribed endpoints, and to the webhook URL of the event's job. */
export async function fanOut(tx: Tx, { id, ...account }: Owner, events: readonly EventRow[]): Promise<void> {
  if (events.length === 0) return;
  const plan = planOf(account);
  const endpoints = (await lockEndpoints(tx, id)).filter(
    (endpoint) => endpoint.isActive && checkPlanLimits(plan, { what: 'webhooks', sandbox: endpoint.isSandbox }).ok,
  );
  const ofJobs = (event: EventRow) =>
    event.webhookUrl === null
      ? undefined
      : endpoints.find(({ kind, isSandbox }) => kind === 'jobs' && isSandbox === event.isSandbox);
  const deliveries = events.flatMap((event) => {
    const single = ofJobs(event);
    return [
      ...endpoints.filter((endpoint) => isSubscribed(endpoint, event)).map((endpoint) => makeDelivery(endpoint, event)),
      ...(single ? [makeDelivery(single, event, event.webhookUrl)] : []),
    ];
  });
  await insertDeliveries(tx, deliveries);
}
