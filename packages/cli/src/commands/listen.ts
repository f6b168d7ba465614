import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Uprez, UprezEvent } from '@uprez/sdk-node';
import { Webhook } from 'standardwebhooks';
import { exitCodes, toFatalError } from '../cli-error.ts';
import type { CliContext } from '../config.ts';
import type { Common, ListenOptions } from '../parse-arguments.ts';
import { openClient } from './open-run.ts';

type Delivery = { status: number } | { reason: string };

const pollMs = 1_000;
const timeoutMs = 10_000;

/**
 * Forwards the account's new events to a URL until interrupted. Signs them like webhooks. Sends each event once and in
 * order, regardless of the response. Returns the exit code.
 */
export async function listen(context: CliContext, common: Common, options: ListenOptions): Promise<number> {
  const { out, err, signal } = context;
  const { client, apiKey } = await openClient(context, common);
  const secret = options.secret ?? deriveSecret(apiKey);
  const latest = await listFeedEvents(client, { order: 'desc', limit: 1 }, signal);
  err(`Forwarding events to ${options.forwardTo}. Signing secret: ${secret}\n`);
  for (let after = latest[0]?.id; !signal.aborted; ) {
    const events = await listFeedEvents(client, { limit: 100, ...(after && { after }) }, signal);
    for (const event of events) {
      const delivery = await forwardEvent(event, { ...options, secret, signal });
      if (signal.aborted) break;
      const { id, type, timestamp } = event;
      if (common.json) out(`${JSON.stringify({ event: 'delivery', id, type, ...delivery })}\n`);
      else if (!common.quiet || !isDelivered(delivery))
        out(`${timestamp}  ${type}  ${formatDelivery(delivery)}  ${id}\n`);
      after = id;
    }
    if (events.length === 0) await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
  return exitCodes.interrupted;
}

/**
 * Derives the signing secret from the API key. The secret is therefore the same in each run, and the receiver's
 * configuration stays valid.
 */
const deriveSecret = (apiKey: string): string =>
  `whsec_${createHmac('sha256', apiKey).update('uprez listen').digest('base64')}`;

type Query = NonNullable<Parameters<Uprez['events']['list']>[0]>;

async function listFeedEvents(client: Uprez, query: Query, signal: AbortSignal): Promise<UprezEvent[]> {
  try {
    return (await client.events.list(query, { signal })).data;
  } catch (error) {
    throw toFatalError(error) ?? error;
  }
}

type Target = { forwardTo: string; secret: string; signal: AbortSignal };

async function forwardEvent(event: UprezEvent, { forwardTo, secret, signal }: Target): Promise<Delivery> {
  const body = JSON.stringify(event);
  const at = new Date();
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Uprez (webhooks)',
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(event.id, at, body),
  };
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const response = await fetch(forwardTo, { method: 'POST', headers, body, redirect: 'manual', signal: limit });
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    return { reason: describeFetchError(error) };
  }
}

function describeFetchError(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no response within ${timeoutMs / 1_000} s`;
  const { cause, message } = error as Error;
  return cause instanceof Error && cause.message ? cause.message : message;
}

const isDelivered = (delivery: Delivery) => 'status' in delivery && delivery.status >= 200 && delivery.status < 300;
const formatDelivery = (delivery: Delivery) => ('status' in delivery ? String(delivery.status) : delivery.reason);
