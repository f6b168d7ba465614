import {
  type DeliveryError,
  deliveryErrors,
  webhookJitter,
  webhookLadderS,
} from '@uprez/contracts/schemas/webhook-events';
import type { Tx } from '@uprez/db/database';
import { type DeliveryContext, type DeliveryRow, settleDelivery } from '@uprez/db/queries/webhooks/webhook-deliveries';
import {
  disableEndpoint,
  recordFailure,
  recordSuccess,
  successNotedS,
} from '@uprez/db/queries/webhooks/webhook-endpoints';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { reportLimit } from '../report-limit.ts';

/** The outcome of an attempt. `answered`: the status; `answer`: the start of the body. */
export type Attempted = Pick<DeliveryRow, 'answered' | 'error'> & { answer: string | null; durationMs: number };
export type Attempt = { delivery: DeliveryRow; context: DeliveryContext; came: Attempted };

/** Seconds until the next attempt; undefined after the last one. */
export function retryAfterS(step: number, random: () => number = Math.random): number | undefined {
  const wait = webhookLadderS[step - 1];
  return wait === undefined ? undefined : wait * (1 + webhookJitter * (2 * random() - 1));
}

/** Record an attempt, the retry, and the state of the endpoint, and queue emails. Locks the endpoint first. */
export async function settleAttempt(ctx: Needs<'db'>, attempt: Attempt): Promise<void> {
  const { delivery, context, came } = attempt;
  const { error } = came;
  const retryS = error === null || error === 'gone' ? undefined : retryAfterS(delivery.step);
  // PostgreSQL takes no NUL in a text.
  const answer = came.answer?.replaceAll('\u0000', '') ?? null;
  const outcome = { ...came, answer, retryS, at: context.at };
  if (error === null && isKnownToWork(context)) return settleDelivery(ctx.db, delivery, outcome);
  await ctx.db.transaction().execute(async (tx) => {
    const isFailure = error !== null && error !== 'simulated';
    if (error === null) await recordSuccess(tx, context.endpoint.id);
    const isNews = isFailure && (await recordFailure(tx, context.endpoint.id));
    await settleDelivery(tx, delivery, outcome);
    if (isFailure && error !== 'gone' && retryS === undefined) reportLimit('webhook_attempts');
    if (isFailure) await notifyOfFailure(tx, attempt, { error, isNews, isLast: retryS === undefined });
  });
}

/** Its endpoint's row says already that attempts succeed these seconds. */
const isKnownToWork = ({ endpoint, at }: DeliveryContext): boolean =>
  endpoint.failingSince === null &&
  endpoint.lastDeliveredAt !== null &&
  at.getTime() - endpoint.lastDeliveredAt.getTime() < successNotedS * 1_000;

type Failure = { error: DeliveryError; isNews: boolean; isLast: boolean };

/** Disable an endpoint that is gone or failing, and email its owner; otherwise email the first failure only. */
async function notifyOfFailure(tx: Tx, attempt: Attempt, { error, isNews, isLast }: Failure): Promise<void> {
  const { delivery, context, came } = attempt;
  const { endpoint } = context;
  const facts = { url: delivery.url ?? endpoint.url ?? '', at: context.at.toISOString() };
  // Nothing reached the endpoint in all the time that the delivery was tried.
  const isDead = endpoint.lastDeliveredAt === null || endpoint.lastDeliveredAt < delivery.createdAt;
  const reason = error === 'gone' ? 'gone' : isLast && isDead ? 'failing' : undefined;
  if (reason && endpoint.kind === 'endpoint') {
    await disableEndpoint(tx, endpoint.id, reason);
    return queueMail(tx, endpoint.accountId, { mail: 'webhook_disabled', reason, ...facts });
  }
  const says = deliveryErrors[error] + (came.answered === null ? '' : ` It answered ${came.answered}.`);
  if (isNews) await queueMail(tx, endpoint.accountId, { mail: 'webhook_failing', says, ...facts });
}
