import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { Deps } from '../../deps.ts';
import { inMemory } from '../../http/bodies/open-upload.ts';
import { readBytes } from '../../http/bodies/read-json.ts';
import { defineHandlers } from '../../http/contract.ts';

/** The error code and detail of each rejected event, which Stripe's dashboard shows. */
const rejections = {
  signature: ['bad_signature'],
  too_old: ['bad_signature', 'The signature is older than 5 minutes.'],
  too_new: ['bad_signature', 'The signature is dated more than 5 minutes ahead.'],
  body: ['malformed_body', "The body isn't a Stripe event."],
} as const;
const isRejected = (result: string): result is keyof typeof rejections => Object.hasOwn(rejections, result);

/** Memory for an event as a multiple of its size: its bytes, its string, and its parsed values. */
const eventCopies = 4;

/** Handler for Stripe events. The endpoint doesn't exist without Stripe's keys. */
export const billingHandlers = (deps: Deps) => {
  const received = deps.metrics.counter({
    name: 'stripe_webhooks_total',
    help: 'Webhook requests of Stripe by result. Results other than stored, repeated, other_customer, and other_mode are rejected.',
    labels: ['result'],
  });
  return defineHandlers({
    stripeWebhook: async (request) => {
      if (!deps.config.payments) throw new AppError('not_found');
      const { payments, verbs } = await deps.billing.get();
      const signature = request.headers['stripe-signature']?.toString();
      const held = { request, maxBytes: limits.stripeEventBytes, copies: eventCopies };
      const result = await inMemory(deps, held, async () => {
        const body = await readBytes(request, limits.stripeEventBytes);
        return verbs.receiveEvent({ db: deps.db, payments }, { body, signature });
      });
      received.add({ result });
      if (isRejected(result)) {
        const [code, detail] = rejections[result];
        throw new AppError(code, detail ? { detail } : {});
      }
      return { received: true as const };
    },
  });
};
