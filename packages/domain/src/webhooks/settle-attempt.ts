import {
  type DeliveryError,
  deliveryErrors,
  webhookJitter,
  webhookLadderS,
} from '@uprez/contracts/schemas/webhook-events';
import type { Tx } from '@uprez/db/database';
import { type DeliveryRow, type Parcel, settleDelivery } from '@uprez/db/queries/webhooks/webhook-deliveries';
import { disableEndpoint, noteFailure, noteSuccess, successNotedS } from '@uprez/db/queries/webhooks/webhook-endpoints';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';

/** What came of an attempt. `answered`: the status; `answer`: the beginning of the body. */
export type Attempted = {
  answered: number | null;
  answer: string | null;
  error: DeliveryError | null;
  durationMs: number;
};
export type Attempt = { delivery: DeliveryRow; parcel: Parcel; came: Attempted };

/** Seconds until the next attempt after the one of this step; undefined: it was the last one. */
export function retryAfterS(step: number, random: () => number = Math.random): number | undefined {
  const wait = webhookLadderS[step - 1];
  return wait === undefined ? undefined : wait * (1 + webhookJitter * (2 * random() - 1));
}

/**
 * Write down what came of an attempt, with all that follows from it: when the next one is, what the endpoint is, and whom
 * to tell. The endpoint comes before its deliveries, for whoever else holds both.
 */
export async function settleAttempt(ctx: Needs<'db'>, attempt: Attempt): Promise<void> {
  const { delivery, parcel, came } = attempt;
  const { error } = came;
  const retryS = error === null || error === 'gone' ? undefined : retryAfterS(delivery.step);
  // PostgreSQL takes no NUL in a text.
  const answer = came.answer?.replaceAll('\u0000', '') ?? null;
  const outcome = { ...came, answer, retryS, at: parcel.at };
  if (error === null && isKnownToWork(parcel)) return settleDelivery(ctx.db, delivery, outcome);
  await ctx.db.transaction().execute(async (tx) => {
    const isFailure = error !== null && error !== 'simulated';
    if (error === null) await noteSuccess(tx, parcel.endpoint.id);
    const isNews = isFailure && (await noteFailure(tx, parcel.endpoint.id));
    await settleDelivery(tx, delivery, outcome);
    if (isFailure) await tellOfFailure(tx, attempt, { error, isNews, isLast: retryS === undefined });
  });
}

/** Its endpoint's row says already that attempts succeed these seconds. */
const isKnownToWork = ({ endpoint, at }: Parcel): boolean =>
  endpoint.failingSince === null &&
  endpoint.lastDeliveredAt !== null &&
  at.getTime() - endpoint.lastDeliveredAt.getTime() < successNotedS * 1_000;

type Failure = { error: DeliveryError; isNews: boolean; isLast: boolean };

/** Switch off what is gone or dead, and tell its owner; of other failures of the first only. */
async function tellOfFailure(tx: Tx, attempt: Attempt, { error, isNews, isLast }: Failure): Promise<void> {
  const { delivery, parcel, came } = attempt;
  const { endpoint } = parcel;
  const facts = { url: delivery.url ?? endpoint.url ?? '', at: parcel.at.toISOString() };
  const reason = error === 'gone' ? 'gone' : isLast && isDead(attempt) ? 'failing' : undefined;
  if (reason && endpoint.kind === 'endpoint') {
    await disableEndpoint(tx, endpoint.id, reason);
    return queueMail(tx, endpoint.accountId, { mail: 'webhook_disabled', reason, ...facts });
  }
  const says = deliveryErrors[error] + (came.answered === null ? '' : ` It answered ${came.answered}.`);
  if (isNews) await queueMail(tx, endpoint.accountId, { mail: 'webhook_failing', says, ...facts });
}

/** Whether nothing reached the endpoint in all the time that a delivery was tried. */
const isDead = ({ delivery, parcel }: Pick<Attempt, 'delivery' | 'parcel'>) => {
  const { lastDeliveredAt: last } = parcel.endpoint;
  return last === null || last < delivery.createdAt;
};
