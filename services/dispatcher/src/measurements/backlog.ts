import { countPendingEvents } from '@uprez/db/queries/billing/stripe-events';
import { readDeliveryBacklog } from '@uprez/db/queries/measurements/delivery-backlog';
import { readMailBacklog } from '@uprez/db/queries/measurements/mail-backlog';
import { readOverdueSeconds } from '@uprez/db/queries/measurements/stored-files';
import { type Measurement, single } from './measurement.ts';

/** What waits for dispatchers. Reads indexes of what waits, so it costs nothing while nothing does. */
export const backlog: Measurement = {
  name: 'backlog',
  sweeps: 3,
  families: [
    {
      name: 'mail_backlog',
      help: 'Emails to be sent: single ones, and those of newsletters (campaign).',
      labels: ['kind'],
    },
    { name: 'mail_oldest_seconds', help: 'Age of the oldest single email to be sent, 0 if there is none.', labels: [] },
    {
      name: 'delivery_backlog',
      help: 'Deliveries of webhooks and of results to URLs, due now or scheduled for later.',
      labels: ['kind', 'state'],
    },
    {
      name: 'delivery_oldest_due_seconds',
      help: 'Time that the first due delivery has waited, 0 if there is none.',
      labels: ['kind'],
    },
    {
      name: 'file_retention_overdue_seconds',
      help: 'Time since the oldest file that still exists should have been deleted, 0 if there is none.',
      labels: [],
    },
    { name: 'stripe_events_pending', help: 'Stripe events with effects that are not stored yet.', labels: [] },
  ],
  measure: async (db) => {
    const [mails, deliveries] = [await readMailBacklog(db), await readDeliveryBacklog(db)];
    return {
      mail_backlog: [
        { labels: { kind: 'single' }, value: mails.single },
        { labels: { kind: 'campaign' }, value: mails.campaign },
      ],
      mail_oldest_seconds: single(mails.oldestS),
      delivery_backlog: deliveries.flatMap(({ kind, due, scheduled }) => [
        { labels: { kind, state: 'due' }, value: due },
        { labels: { kind, state: 'scheduled' }, value: scheduled },
      ]),
      delivery_oldest_due_seconds: deliveries.map(({ kind, oldestS }) => ({ labels: { kind }, value: oldestS })),
      file_retention_overdue_seconds: single(await readOverdueSeconds(db)),
      stripe_events_pending: single(await countPendingEvents(db)),
    };
  },
};
