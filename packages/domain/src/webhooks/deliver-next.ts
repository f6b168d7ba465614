import { limits } from '@uprez/contracts/policy/limits';
import { may } from '@uprez/contracts/policy/may';
import { planOf } from '@uprez/contracts/policy/plan-versions';
import { findSandboxTrigger } from '@uprez/contracts/policy/sandbox';
import { type DeliveryError, webhookLadderS } from '@uprez/contracts/schemas/webhook-events';
import {
  claimDelivery,
  type DeliveryContext,
  type DeliveryRow,
  endDelivery,
  findDeliveryContext,
  returnDelivery,
} from '@uprez/db/queries/webhooks/webhook-deliveries';
import { type GuardedPoster, openGuardedPoster, type Posted } from '@uprez/guarded-fetch/open-guarded-poster';
import { endWith, type SpanFacts, startTrace } from '@uprez/tracing/spans';
import { Webhook } from 'standardwebhooks';
import type { Needs } from '../context.ts';
import { eventBody } from '../events/event-body.ts';
import { reportLimit } from '../report-limit.ts';
import { secretPurpose } from './get-webhook.ts';
import { allowsLoopback } from './require-webhooks.ts';
import { type Attempted, settleAttempt } from './settle-attempt.ts';

/** Longer than one attempt may take, so that no second sender sends the same delivery. */
const leaseS = 4 * limits.webhookSeconds;

export type Sending = {
  destination: string;
  poster: GuardedPoster;
  publicUrl: string;
  signal: AbortSignal;
  onAttempt?: ((attempt: SentAttempt) => void) | undefined;
};

/** An attempt that was made. `waitedS`: of first attempts, the seconds that the delivery has existed. */
export type SentAttempt = { outcome: DeliveryError | 'delivered'; waitedS?: number; isFailing: boolean };

/** Send the next delivery of a destination; false when none is due. Throws the signal's reason when aborted. */
export async function deliverNext(ctx: Needs<'db' | 'vault' | 'network'>, sending: Sending): Promise<boolean> {
  const delivery = await claimDelivery(ctx.db, sending.destination, leaseS);
  if (!delivery) return false;
  const context = await findDeliveryContext(ctx.db, delivery);
  // Removed in this moment.
  if (!context) return true;
  const obstacle = findObstacle(delivery, context);
  if (obstacle) {
    await endDelivery(ctx.db, delivery, obstacle);
    return true;
  }
  const span = startTrace('webhook delivery', {
    parent: context.traceparent,
    kind: 'producer',
    facts: describeDelivery({ delivery, context }),
  });
  await endWith(span, async () => {
    const { outcome, status } = await attempt(ctx, sending, { delivery, context });
    if (outcome !== 'delivered') span?.fail(outcome);
    span?.add({ 'uprez.outcome': outcome, ...(status && { 'http.response.status_code': status }) });
  });
  return true;
}

const describeDelivery = ({ delivery, context: { event } }: Package): SpanFacts => ({
  'uprez.account.id': event.accountId,
  'uprez.delivery.id': delivery.id,
  'uprez.delivery.attempt': delivery.attempts,
  'uprez.event.type': event.type,
  ...(event.jobId && { 'uprez.job.id': event.jobId }),
});

/** Sends one delivery and stores what came of it. */
async function attempt(ctx: Needs<'db' | 'vault' | 'network'>, sending: Sending, { delivery, context }: Package) {
  const start = performance.now();
  const result = isSimulated(delivery, context) ? simulated : judge(await post(ctx, sending, { delivery, context }));
  if (result.error === 'timeout') reportLimit('webhook_time');
  const came = { ...result, durationMs: Math.round(performance.now() - start) };
  await settleAttempt(ctx, { delivery, context, came });
  const sent = describeAttempt({ delivery, context }, came.error);
  sending.onAttempt?.(sent);
  return { outcome: sent.outcome, status: came.answered };
}

/** Deliveries of a failing endpoint wait for each other, so their waiting times say nothing about the dispatchers. */
function describeAttempt({ delivery, context }: Package, error: DeliveryError | null): SentAttempt {
  const waitedMs = context.at.getTime() - delivery.createdAt.getTime();
  return {
    outcome: error ?? 'delivered',
    isFailing: context.endpoint.failingSince !== null,
    ...(delivery.attempts === 1 && { waitedS: Math.max(0, waitedMs) / 1_000 }),
  };
}

function findObstacle({ step }: DeliveryRow, { endpoint, account }: DeliveryContext): DeliveryError | undefined {
  // Every attempt before ended with its process.
  if (step > webhookLadderS.length + 1) return 'broken';
  if (!endpoint.isActive) return 'disabled';
  return may(planOf(account), { what: 'webhooks', sandbox: endpoint.isSandbox }).ok ? undefined : 'plan';
}

const simulated = { answered: null, answer: null, error: 'simulated' } as const;

/** Whether the file name of a sandbox job requests a failed first attempt. */
function isSimulated({ step }: DeliveryRow, { event }: DeliveryContext): boolean {
  const { filename } = event.data;
  return (
    event.isSandbox && step === 1 && typeof filename === 'string' && findSandboxTrigger(filename)?.kind === 'webhook'
  );
}

type Package = { delivery: DeliveryRow; context: DeliveryContext };

async function post(
  ctx: Needs<'db' | 'vault' | 'network'>,
  { poster, publicUrl, signal }: Sending,
  { delivery, context }: Package,
): Promise<Posted> {
  const { event, endpoint, at, formerSigns } = context;
  const body = JSON.stringify(eventBody(event, publicUrl));
  const sealed = [endpoint.secret, ...(formerSigns && endpoint.formerSecret ? [endpoint.formerSecret] : [])];
  const secrets = sealed.map((secret) => ctx.vault.unseal(secret, secretPurpose));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Uprez (webhooks)',
    ...signEvent({ id: event.id, at, body, secrets }),
  };
  try {
    const target = {
      url: delivery.url ?? endpoint.url ?? '',
      allowsLoopback: allowsLoopback(ctx, { sandbox: event.isSandbox }),
    };
    return await poster.post({ ...target, headers, body, signal });
  } catch (error) {
    await returnDelivery(ctx.db, delivery);
    throw error;
  }
}

function judge(posted: Posted): Omit<Attempted, 'durationMs'> {
  if ('failure' in posted) {
    const error = posted.failure === 'certificate' ? 'tls' : posted.failure;
    return { answered: null, answer: null, error };
  }
  return { answered: posted.status, answer: posted.body, error: judgeStatus(posted.status) };
}

function judgeStatus(status: number): DeliveryError | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'redirect';
  return status === 410 ? 'gone' : 'bad_status';
}

type Signing = { id: string; at: Date; body: string; secrets: readonly string[] };

/** The headers of a Standard Webhook: one signature for each secret that counts now. */
export const signEvent = ({ id, at, body, secrets }: Signing): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
});

/** A poster for a few seconds: it caches addresses. */
export const openWebhookPoster = ({ network }: Needs<'network'>, connections: number): GuardedPoster =>
  openGuardedPoster({
    timeoutMs: limits.webhookSeconds * 1_000,
    answerBytes: limits.webhookAnswerBytes,
    connections,
    network,
  });
