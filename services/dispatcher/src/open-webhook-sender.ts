import { setMaxListeners } from 'node:events';
import { listAccountsWithNewEvents } from '@uprez/db/queries/webhooks/events';
import { type DueLane, listDueLanes } from '@uprez/db/queries/webhooks/webhook-deliveries';
import type { Needs } from '@uprez/domain/context';
import { releaseEvents } from '@uprez/domain/events/release-events';
import { deliverNext } from '@uprez/domain/webhooks/deliver-next';
import { openWebhookPoster } from '@uprez/domain/webhooks/open-webhook-poster';
import { repeat } from '@uprez/runtime/repeat';

/** Lanes at work at once, and how many of them may be such as fail: those that hang leave room for all others. */
const lanes = 64;
const failingLanes = 32;
/** Of the servers that single jobs of one account named. */
const lanesOfOne = 8;
/** Attempts to one endpoint at once. */
const connections = 4;
/** A lane is looked at anew after this long, so that it knows new addresses of its server. */
const laneMs = 5_000;
/** Attempts under way are waited for this long when the process stops. */
const drainMs = 3_000;
/** Accounts and lanes of one look. */
const together = 500;

type SenderDeps = Needs<'db' | 'vault' | 'log' | 'network'> & { config: { PUBLIC_URL: string } };
export type WebhookSender = { close: () => Promise<void> };

/**
 * Release new events and make due attempts, each endpoint in a lane of its own: a dead one delays nobody. Runs in several
 * processes.
 */
export function openWebhookSender(deps: SenderDeps, everyMs: number): WebhookSender {
  const stop = new AbortController();
  // Every attempt listens.
  setMaxListeners(0, stop.signal);
  const running = new Map<string, { failing: boolean; end: Promise<void> }>();
  const start = (due: DueLane) => {
    const end = runLane(deps, due, stop.signal)
      .catch((error: unknown) => {
        if (!stop.signal.aborted)
          deps.log.warn({ err: error }, 'webhooks of an endpoint failed and will be tried again');
      })
      .finally(() => running.delete(due.lane));
    running.set(due.lane, { failing: due.failing, end });
  };
  const look = async () => {
    for (const accountId of await listAccountsWithNewEvents(deps.db, together)) await releaseEvents(deps, accountId);
    for (const due of await listDueLanes(deps.db, { limit: together, ofOne: lanesOfOne }))
      if (hasRoom(running, due)) start(due);
  };
  const looking = repeat(everyMs, look, (error) =>
    deps.log.warn({ err: error }, 'looking for webhooks failed and will be repeated'),
  );
  return {
    close: async () => {
      await looking.close();
      const timer = setTimeout(() => stop.abort(), drainMs);
      await Promise.all([...running.values()].map((lane) => lane.end));
      clearTimeout(timer);
    },
  };
}

type Running = ReadonlyMap<string, { failing: boolean }>;
const endpointOf = (lane: string) => lane.split(' ')[0];

/** Whether a lane may begin beside those that run. */
function hasRoom(running: Running, { lane, failing }: DueLane): boolean {
  if (running.has(lane) || running.size >= lanes) return false;
  if ([...running.keys()].filter((other) => endpointOf(other) === endpointOf(lane)).length >= lanesOfOne) return false;
  return !failing || [...running.values()].filter((other) => other.failing).length < failingLanes;
}

/** Send what is due in a lane, several at once, over connections that are kept for so long. */
async function runLane(deps: SenderDeps, { lane, due }: DueLane, signal: AbortSignal): Promise<void> {
  const until = performance.now() + laneMs;
  const poster = openWebhookPoster(deps, connections);
  const sending = { lane, poster, publicUrl: deps.config.PUBLIC_URL, signal };
  const sendAll = async () => {
    while (!signal.aborted && performance.now() < until) if (!(await deliverNext(deps, sending))) return;
  };
  try {
    await Promise.all(Array.from({ length: Math.min(connections, due) }, sendAll));
  } finally {
    await poster.close();
  }
}
