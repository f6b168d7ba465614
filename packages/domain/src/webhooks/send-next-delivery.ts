import { limits } from '@uprez/contracts/policy/limits';
import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { findSandboxTrigger } from '@uprez/contracts/policy/sandbox';
import {
  type DeliveryError,
  deliveryErrors,
  webhookJitter,
  webhookRetryDelaysS,
} from '@uprez/contracts/schemas/webhook-events';
import type { Tx } from '@uprez/db/database';
import {
  claimDelivery,
  type DeliveryContext,
  type DeliveryRow,
  endDelivery,
  findDeliveryContext,
  releaseDelivery,
  settleDelivery,
} from '@uprez/db/queries/webhooks/webhook-deliveries';
import {
  disableEndpoint,
  recordEndpointFailure,
  recordEndpointSuccess,
  successIntervalS,
} from '@uprez/db/queries/webhooks/webhook-endpoints';
import { type GuardedPoster, openGuardedPoster, type Posted } from '@uprez/guarded-fetch/open-guarded-poster';
import { endWith, type SpanFacts, startTrace } from '@uprez/tracing/spans';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { reportLimit } from '../report-limit.ts';
import { signEvent, toEventBody } from './event-message.ts';
import { webhookSecretPurpose } from './get-webhook.ts';
import { allowsLoopback } from './require-webhooks.ts';

/** Longer than one attempt takes. Otherwise, two senders could send the same delivery. */
const leaseS = 4 * limits.webhookSeconds;

export type SendOptions = {
  destination: string;
  poster: GuardedPoster;
  publicUrl: string;
  signal: AbortSignal;
  onAttempt?: ((attempt: SentAttempt) => void) | undefined;
};

/** An attempt that has ended. `waitedS`: age of the delivery, in seconds. Set for first attempts only. */
export type SentAttempt = { outcome: DeliveryError | 'delivered'; waitedS?: number; isFailing: boolean };

/** Sends the next delivery to a destination. Returns false if none is due. Throws the signal's reason when aborted. */
export async function sendNextDelivery(ctx: Needs<'db' | 'vault' | 'network'>, sending: SendOptions): Promise<boolean> {
  const delivery = await claimDelivery(ctx.db, sending.destination, leaseS);
  if (!delivery) return false;
  const context = await findDeliveryContext(ctx.db, delivery);
  // The event or the endpoint was deleted in the meantime.
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
    const { outcome, status } = await attemptDelivery(ctx, sending, { delivery, context });
    if (outcome !== 'delivered') span?.fail(outcome);
    span?.add({ 'uprez.outcome': outcome, ...(status && { 'http.response.status_code': status }) });
  });
  return true;
}

const describeDelivery = ({ delivery, context: { event } }: LoadedDelivery): SpanFacts => ({
  'uprez.account.id': event.accountId,
  'uprez.delivery.id': delivery.id,
  'uprez.delivery.attempt': delivery.attempts,
  'uprez.event.type': event.type,
  ...(event.jobId && { 'uprez.job.id': event.jobId }),
});

async function attemptDelivery(
  ctx: Needs<'db' | 'vault' | 'network'>,
  sending: SendOptions,
  { delivery, context }: LoadedDelivery,
) {
  const start = performance.now();
  const result = isSimulated(delivery, context)
    ? simulatedOutcome
    : classifyResponse(await postDelivery(ctx, sending, { delivery, context }));
  if (result.error === 'timeout') reportLimit('webhook_time');
  const came = { ...result, durationMs: Math.round(performance.now() - start) };
  await settleAttempt(ctx, { delivery, context, came });
  const sent = describeAttempt({ delivery, context }, came.error);
  sending.onAttempt?.(sent);
  return { outcome: sent.outcome, status: came.answered };
}

/**
 * Describes an attempt for metrics. `isFailing` separates attempts at failing endpoints. Deliveries to such an endpoint
 * wait for each other, so their waiting times don't show how fast the dispatchers are.
 */
function describeAttempt({ delivery, context }: LoadedDelivery, error: DeliveryError | null): SentAttempt {
  const waitedMs = context.at.getTime() - delivery.createdAt.getTime();
  return {
    outcome: error ?? 'delivered',
    isFailing: context.endpoint.failingSince !== null,
    ...(delivery.attempts === 1 && { waitedS: Math.max(0, waitedMs) / 1_000 }),
  };
}

function findObstacle({ step }: DeliveryRow, { endpoint, account }: DeliveryContext): DeliveryError | undefined {
  // The process died during the last scheduled attempt, so no outcome was recorded.
  if (step > webhookRetryDelaysS.length + 1) return 'broken';
  if (!endpoint.isActive) return 'disabled';
  return checkPlanLimits(planOf(account), { what: 'webhooks', sandbox: endpoint.isSandbox }).ok ? undefined : 'plan';
}

const simulatedOutcome = { answered: null, answer: null, error: 'simulated' } as const;

/** Whether the file name of a sandbox job triggers a failed first attempt. */
function isSimulated({ step }: DeliveryRow, { event }: DeliveryContext): boolean {
  const { filename } = event.data;
  return (
    event.isSandbox && step === 1 && typeof filename === 'string' && findSandboxTrigger(filename)?.kind === 'webhook'
  );
}

type LoadedDelivery = { delivery: DeliveryRow; context: DeliveryContext };

async function postDelivery(
  ctx: Needs<'db' | 'vault' | 'network'>,
  { poster, publicUrl, signal }: SendOptions,
  { delivery, context }: LoadedDelivery,
): Promise<Posted> {
  const { event, endpoint, at, formerSigns } = context;
  const body = JSON.stringify(toEventBody(event, publicUrl));
  const sealed = [endpoint.secret, ...(formerSigns && endpoint.formerSecret ? [endpoint.formerSecret] : [])];
  const secrets = sealed.map((secret) => ctx.vault.unseal(secret, webhookSecretPurpose));
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
    await releaseDelivery(ctx.db, delivery);
    throw error;
  }
}

function classifyResponse(posted: Posted): Omit<AttemptResult, 'durationMs'> {
  if ('failure' in posted) {
    const error = posted.failure === 'certificate' ? 'tls' : posted.failure;
    return { answered: null, answer: null, error };
  }
  return { answered: posted.status, answer: posted.body, error: classifyStatus(posted.status) };
}

function classifyStatus(status: number): DeliveryError | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'redirect';
  return status === 410 ? 'gone' : 'bad_status';
}

/** Opens a poster. Use it for a few seconds only, because it caches IP addresses. */
export const openWebhookPoster = ({ network }: Needs<'network'>, connections: number): GuardedPoster =>
  openGuardedPoster({
    timeoutMs: limits.webhookSeconds * 1_000,
    answerBytes: limits.webhookAnswerBytes,
    connections,
    network,
  });

/** `answered`: status code. `answer`: start of the response body. */
type AttemptResult = Pick<DeliveryRow, 'answered' | 'error'> & { answer: string | null; durationMs: number };
type Attempt = { delivery: DeliveryRow; context: DeliveryContext; came: AttemptResult };

/** Returns the seconds until the next attempt, or undefined after the last one. */
function retryAfterS(step: number, random: () => number = Math.random): number | undefined {
  const wait = webhookRetryDelaysS[step - 1];
  return wait === undefined ? undefined : wait * (1 + webhookJitter * (2 * random() - 1));
}

/** Locks the endpoint's row first, then the delivery's row. */
async function settleAttempt(ctx: Needs<'db'>, attempt: Attempt): Promise<void> {
  const { delivery, context, came } = attempt;
  const { error } = came;
  const retryS = error === null || error === 'gone' ? undefined : retryAfterS(delivery.step);
  // PostgreSQL doesn't allow NUL in text.
  const answer = came.answer?.replaceAll('\u0000', '') ?? null;
  const outcome = { ...came, answer, retryS, at: context.at };
  if (error === null && isKnownToWork(context)) return settleDelivery(ctx.db, delivery, outcome);
  await ctx.db.transaction().execute(async (tx) => {
    const isFailure = error !== null && error !== 'simulated';
    if (error === null) await recordEndpointSuccess(tx, context.endpoint.id);
    const isNews = isFailure && (await recordEndpointFailure(tx, context.endpoint.id));
    await settleDelivery(tx, delivery, outcome);
    if (isFailure && error !== 'gone' && retryS === undefined) reportLimit('webhook_attempts');
    if (isFailure) await notifyOfFailure(tx, attempt, { error, isNews, isLast: retryS === undefined });
  });
}

/** Whether the endpoint's row already records a recent success and needs no update. */
const isKnownToWork = ({ endpoint, at }: DeliveryContext): boolean =>
  endpoint.failingSince === null &&
  endpoint.lastDeliveredAt !== null &&
  at.getTime() - endpoint.lastDeliveredAt.getTime() < successIntervalS * 1_000;

type Failure = { error: DeliveryError; isNews: boolean; isLast: boolean };

/**
 * Disables an endpoint that is gone or failing and emails its owner. Otherwise, emails the owner about the first
 * failure only.
 */
async function notifyOfFailure(tx: Tx, attempt: Attempt, { error, isNews, isLast }: Failure): Promise<void> {
  const { delivery, context, came } = attempt;
  const { endpoint } = context;
  const facts = { url: delivery.url ?? endpoint.url ?? '', at: context.at.toISOString() };
  // Nothing has been delivered to the endpoint since this delivery was created.
  const isDead = endpoint.lastDeliveredAt === null || endpoint.lastDeliveredAt < delivery.createdAt;
  const reason = error === 'gone' ? 'gone' : isLast && isDead ? 'failing' : undefined;
  if (reason && endpoint.kind === 'endpoint') {
    await disableEndpoint(tx, endpoint.id, reason);
    return queueMail(tx, endpoint.accountId, { mail: 'webhook_disabled', reason, ...facts });
  }
  const says = deliveryErrors[error] + (came.answered === null ? '' : ` It answered ${came.answered}.`);
  if (isNews) await queueMail(tx, endpoint.accountId, { mail: 'webhook_failing', says, ...facts });
}
