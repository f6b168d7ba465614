import { setMaxListeners } from 'node:events';
import { listAccountsWithNewEvents } from '@uprez/db/queries/webhooks/events';
import { type DueLane, listDueLanes } from '@uprez/db/queries/webhooks/webhook-deliveries';
import type { Needs } from '@uprez/domain/context';
import { releaseEvents } from '@uprez/domain/feed/release-events';
import { deliverNext, openWebhookPoster } from '@uprez/domain/webhooks/deliver-next';
import { repeat } from '@uprez/runtime/repeat';
import { lanesOfOne, openLaneSlots } from './open-lane-slots.ts';

const connections = 4;
/** A lane is reopened after this long, to resolve its host name again. It is shorter while others wait for a slot. */
const laneMs = 5_000;
const crowdedLaneMs = 1_000;
/** Grace period for running attempts when the process stops. */
const drainMs = 3_000;
/** Accounts and lanes per poll. */
const pollSize = 500;

type SenderDeps = Needs<'db' | 'vault' | 'log' | 'network'> & { config: { PUBLIC_URL: string } };
export type WebhookSender = { close: () => Promise<void> };

/** Release new events and send due deliveries, one lane per endpoint. Safe to run in several processes. */
export function openWebhookSender(deps: SenderDeps, everyMs: number): WebhookSender {
  const stop = new AbortController();
  // Each attempt adds a listener.
  setMaxListeners(0, stop.signal);
  const slots = openLaneSlots();
  const running = new Map<string, Promise<void>>();
  const start = (due: DueLane) => {
    const end = runLane(deps, due, { signal: stop.signal, isCrowded: slots.isCrowded })
      .catch((error: unknown) => {
        if (!stop.signal.aborted) deps.log.warn({ err: error }, 'webhook deliveries of an endpoint failed, will retry');
      })
      .finally(() => {
        slots.release(due.lane);
        running.delete(due.lane);
      });
    running.set(due.lane, end);
  };
  const poll = async () => {
    for (const accountId of await listAccountsWithNewEvents(deps.db, pollSize)) await releaseEvents(deps, accountId);
    for (const due of slots.take(await listDueLanes(deps.db, { limit: pollSize, ofOne: lanesOfOne }))) start(due);
  };
  const polling = repeat(everyMs, poll, (error) =>
    deps.log.warn({ err: error }, 'polling for webhook deliveries failed'),
  );
  return {
    close: async () => {
      await polling.close();
      const timer = setTimeout(() => stop.abort(), drainMs);
      await Promise.all(running.values());
      clearTimeout(timer);
    },
  };
}

type Run = { signal: AbortSignal; isCrowded: () => boolean };

/** Send the due deliveries of a lane concurrently over persistent connections. */
async function runLane(deps: SenderDeps, { lane, due }: DueLane, { signal, isCrowded }: Run): Promise<void> {
  const start = performance.now();
  const hasTime = () => performance.now() - start < (isCrowded() ? crowdedLaneMs : laneMs);
  const poster = openWebhookPoster(deps, connections);
  const sending = { lane, poster, publicUrl: deps.config.PUBLIC_URL, signal };
  const sendAll = async () => {
    while (!signal.aborted && hasTime()) if (!(await deliverNext(deps, sending))) return;
  };
  try {
    await Promise.all(Array.from({ length: Math.min(connections, due) }, sendAll));
  } finally {
    await poster.close();
  }
}
