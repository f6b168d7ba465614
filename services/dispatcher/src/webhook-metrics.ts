import { deliveryErrorNames } from '@uprez/contracts/schemas/webhook-events';
import type { SentAttempt } from '@uprez/domain/webhooks/deliver-next';
import type { Deps } from './deps.ts';

/** Returns a function that counts an attempt to deliver a webhook. */
export function openWebhookMetrics({ metrics }: Pick<Deps, 'metrics'>): (attempt: SentAttempt) => void {
  const attempts = metrics.counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver a webhook, by outcome.',
    labels: ['outcome'],
    initial: (['delivered', ...deliveryErrorNames] as const).map((outcome) => ({ outcome })),
  });
  const waits = metrics.histogram({
    name: 'webhook_wait_seconds',
    help: 'Time from a new delivery to its first attempt. Deliveries of a failing endpoint wait for each other.',
    labels: ['endpoint'],
    buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600],
    initial: [{ endpoint: 'working' }, { endpoint: 'failing' }],
  });
  return ({ outcome, waitedS, isFailing }) => {
    attempts.add({ outcome });
    if (waitedS !== undefined) waits.observe({ endpoint: isFailing ? 'failing' : 'working' }, waitedS);
  };
}
