import { setMaxListeners } from 'node:events';
import { limits } from '@uprez/contracts/policy/limits';
import { type DueDestination, listDueDestinations } from '@uprez/db/queries/webhooks/due-destinations';
import { listAccountsWithNewEvents } from '@uprez/db/queries/webhooks/events';
import type { Needs } from '@uprez/domain/context';
import { releaseEvents } from '@uprez/domain/feed/release-events';
import { reportLimit } from '@uprez/domain/report-limit';
import { deliverNext, openWebhookPoster, type SentAttempt } from '@uprez/domain/webhooks/deliver-next';
import { repeat } from '@uprez/runtime/repeat';
import { openDestinationSlots } from './open-destination-slots.ts';

/**
 * Maximum time in a slot, after which host names are resolved again. `crowdedRunMs` applies while other destinations
 * wait for a slot.
 */
const runMs = 5_000;
const crowdedRunMs = 1_000;
/** Grace period for running attempts when the process stops. */
const drainMs = 3_000;
/** Maximum accounts and destinations per poll. */
const pollSize = 500;

type SenderDeps = Needs<'db' | 'vault' | 'log' | 'network'> & { config: { PUBLIC_URL: string } };
export type WebhookSender = { close: () => Promise<void> };
type OnAttempt = (attempt: SentAttempt) => void;

/**
 * Opens the sender that releases new events and sends due deliveries, in one slot per destination. Safe to run in
 * several processes.
 */
export function openWebhookSender(deps: SenderDeps, everyMs: number, onAttempt?: OnAttempt): WebhookSender {
  const stop = new AbortController();
  // Each attempt adds a listener.
  setMaxListeners(0, stop.signal);
  const slots = openDestinationSlots();
  const running = new Map<string, Promise<void>>();
  const start = (due: DueDestination) => {
    const end = sendDue(deps, due, { signal: stop.signal, isCrowded: slots.isCrowded, onAttempt })
      .catch((error: unknown) => {
        if (!stop.signal.aborted) deps.log.warn({ err: error }, 'webhook deliveries of an endpoint failed, will retry');
      })
      .finally(() => {
        slots.release(due.destination);
        running.delete(due.destination);
      });
    running.set(due.destination, end);
  };
  const poll = async () => {
    // An account that fails must not stop the others.
    for (const accountId of await listAccountsWithNewEvents(deps.db, pollSize))
      await releaseEvents(deps, accountId).catch((error: unknown) =>
        deps.log.warn({ err: error, accountId }, 'releasing the events of an account failed, will retry'),
      );
    for (const due of slots.take(
      await listDueDestinations(deps.db, { limit: pollSize, ofOne: limits.jobWebhookSlots }),
    ))
      start(due);
    if (slots.isCrowded()) reportLimit('webhook_slots');
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

type Run = { signal: AbortSignal; isCrowded: () => boolean; onAttempt: OnAttempt | undefined };

/** Sends the due deliveries of a destination concurrently over persistent connections. */
async function sendDue(
  deps: SenderDeps,
  { destination, due }: DueDestination,
  { signal, isCrowded, onAttempt }: Run,
): Promise<void> {
  const start = performance.now();
  const hasTime = () => performance.now() - start < (isCrowded() ? crowdedRunMs : runMs);
  const poster = openWebhookPoster(deps, limits.endpointAttempts);
  const sending = { destination, poster, publicUrl: deps.config.PUBLIC_URL, signal, onAttempt };
  const sendAll = async () => {
    while (!signal.aborted && hasTime()) if (!(await deliverNext(deps, sending))) return;
  };
  // Even if one loop fails, the others use the connections until they end.
  const ends = await Promise.allSettled(Array.from({ length: Math.min(limits.endpointAttempts, due) }, sendAll));
  await poster.close();
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
