import { may } from '@uprez/contracts/policy/may';
import type { Tx } from '@uprez/db/database';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import type { EventRow } from '@uprez/db/queries/webhooks/events';
import { insertDeliveries, type NewDelivery } from '@uprez/db/queries/webhooks/webhook-deliveries';
import { type EndpointRow, holdEndpoints } from '@uprez/db/queries/webhooks/webhook-endpoints';
import { uuidv7 } from 'uuidv7';

/** Whether an endpoint asked for events like this one. */
export const isFor = (endpoint: EndpointRow, event: EventRow): boolean =>
  endpoint.kind === 'endpoint' &&
  endpoint.is_sandbox === event.is_sandbox &&
  event.type !== 'webhook.test' &&
  (endpoint.events.length === 0 || endpoint.events.includes(event.type));

export const makeDelivery = (
  endpoint: EndpointRow,
  event: Pick<EventRow, 'id'>,
  url: string | null = null,
): NewDelivery => ({
  id: uuidv7(),
  event_id: event.id,
  endpoint_id: endpoint.id,
  url,
  // Addresses of single jobs wait for others of the same server only.
  lane: url === null ? endpoint.id : `${endpoint.id} ${new URL(url).host}`,
});

type Owner = Pick<UserRow, 'id' | 'tier'>;

/** Send events on their way: to all endpoints that asked for them, and to the address that their job came with. */
export async function fanOut(tx: Tx, { id, tier }: Owner, events: readonly EventRow[]): Promise<void> {
  if (events.length === 0) return;
  const endpoints = (await holdEndpoints(tx, id)).filter(
    (endpoint) => endpoint.is_active && may(tier, { what: 'webhooks', sandbox: endpoint.is_sandbox }).ok,
  );
  const ofJobs = (event: EventRow) =>
    event.webhook_url === null
      ? undefined
      : endpoints.find(({ kind, is_sandbox }) => kind === 'jobs' && is_sandbox === event.is_sandbox);
  const deliveries = events.flatMap((event) => {
    const single = ofJobs(event);
    return [
      ...endpoints.filter((endpoint) => isFor(endpoint, event)).map((endpoint) => makeDelivery(endpoint, event)),
      ...(single ? [makeDelivery(single, event, event.webhook_url)] : []),
    ];
  });
  await insertDeliveries(tx, deliveries);
}
