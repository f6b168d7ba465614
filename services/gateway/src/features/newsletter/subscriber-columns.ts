import type { Subscriber } from '@uprez/contracts/schemas/newsletter/subscribers';
import type { ExportColumns } from '../admin/send-export.ts';

export const subscriberColumns: ExportColumns<'subscribers', Subscriber> = {
  subscriber: { subscriber: ({ id }) => id, email: ({ email }) => email },
  state: { state: ({ state }) => state, ended: ({ endedAt }) => endedAt },
  topics: {
    topics: ({ topics }) => topics.join(' ') || null,
    services: ({ services }) => services.join(' ') || null,
  },
  source: { source: ({ source }) => source },
  confirmed: { confirmed: ({ confirmedAt }) => confirmedAt },
  created: { created: ({ createdAt }) => createdAt },
};
