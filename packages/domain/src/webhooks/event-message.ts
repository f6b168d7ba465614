import { sandbox } from '@uprez/contracts/policy/sandbox';
import { errorPage } from '@uprez/contracts/texts/site/pages';
import type {
  BatchEventData,
  ItemEventData,
  JobEventData,
  QuotaEventData,
  TestEventData,
  V1Event,
} from '@uprez/contracts/v1/events';
import type { EventRow } from '@uprez/db/queries/webhooks/events';
import { Webhook } from 'standardwebhooks';

/** Returns an event in the form that webhooks and the feed send. */
export function toEventBody(event: EventRow, publicUrl: string): V1Event {
  const { id, type, isSandbox } = event;
  const base = publicUrl.replace(/\/+$/, '');
  const common = { id, timestamp: event.createdAt.toISOString(), sandbox: isSandbox };
  const prefix = base + (isSandbox ? sandbox.prefix : '/v1');
  switch (type) {
    case 'batch.completed': {
      const data = event.data as BatchEventData;
      return { ...common, type, data: { ...data, status_url: `${prefix}/batches/${data.id}` } };
    }
    case 'batch.item_rejected': {
      const { error, ...data } = event.data as ItemEventData;
      const explained = { ...error, documentation_url: base + errorPage(error.code) };
      return { ...common, type, data: { ...data, error: explained, status_url: `${prefix}/batches/${data.batch_id}` } };
    }
    case 'quota.warning':
      return { ...common, type, data: event.data as QuotaEventData };
    case 'webhook.test':
      return { ...common, type, data: event.data as TestEventData };
    default: {
      const { error, ...data } = event.data as JobEventData;
      const links = { batch_id: event.batchId, status_url: `${prefix}/jobs/${data.id}` };
      const explained = error && { error: { ...error, documentation_url: base + errorPage(error.code) } };
      return { ...common, type, data: { ...data, ...links, ...explained } };
    }
  }
}

type SignInput = { id: string; at: Date; body: string; secrets: readonly string[] };

/** Creates the Standard Webhooks headers, with one signature per valid secret. */
export const signEvent = ({ id, at, body, secrets }: SignInput): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
});
