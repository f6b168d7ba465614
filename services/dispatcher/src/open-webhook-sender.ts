import { setMaxListeners } from 'node:events';
import { listAccountsWithNewEvents } from '@uprez/db/queries/webhooks/events';
import { type DueLane, listDueLanes } from '@uprez/db/queries/webhooks/webhook-deliveries';
import type { Needs } from '@uprez/domain/context';
import { releaseEvents } from '@uprez/domain/feed/release-events';
import { deliverNext, openWebhookPoster } from '@uprez/domain/webhooks/deliver-next';
import { repeat } from '@uprez/runtime/repeat';

/** Maximum number of active lanes, and of failing ones among them: hanging endpoints leave room for others. */
const lanes = 64;
const failingLanes = 32;
/** Maximum number of lanes of one account for the webhook URLs of single jobs. */
const lanesOfOne = 8;
const connections = 4;
/** A lane is reopened after this long, to resolve its host name again. */
const laneMs = 5_000;
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
  const running = new Map<string, { failing: boolean; end: Promise<void> }>();
  const start = (due: DueLane) => {
    const end = runLane(deps, due, stop.signal)
      .catch((error: unknown) => {
        if (!stop.signal.aborted) deps.log.warn({ err: error }, 'webhook deliveries of an endpoint failed, will retry');
      })
      .finally(() => running.delete(due.lane));
    running.set(due.lane, { failing: due.failing, end });
  };
  const poll = async () => {
    for (const accountId of await listAccountsWithNewEvents(deps.db, pollSize)) await releaseEvents(deps, accountId);
    for (const due of await listDueLanes(deps.db, { limit: pollSize, ofOne: lanesOfOne }))
      if (hasRoom(running, due)) start(due);
  };
  const polling = repeat(everyMs, poll, (error) =>
    deps.log.warn({ err: error }, 'polling for webhook deliveries failed'),
  );
  return {
    close: async () => {
      await polling.close();
      const timer = setTimeout(() => stop.abort(), drainMs);
      await Promise.all([...running.values()].map((lane) => lane.end));
      clearTimeout(timer);
    },
  };
}

type Running = ReadonlyMap<string, { failing: boolean }>;
const endpointOf = (lane: string) => lane.split(' ')[0];

function hasRoom(running: Running, { lane, failing }: DueLane): boolean {
  if (running.has(lane) || running.size >= lanes) return false;
  if ([...running.keys()].filter((other) => endpointOf(other) === endpointOf(lane)).length >= lanesOfOne) return false;
  return !failing || [...running.values()].filter((other) => other.failing).length < failingLanes;
}

/** Send the due deliveries of a lane concurrently over persistent connections. */
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
