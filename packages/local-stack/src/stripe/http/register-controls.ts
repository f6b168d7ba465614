import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { taxSettingsSchema } from '../billing/line-amounts.ts';
import { retryPolicySchema } from '../billing/record-payment.ts';
import type { Context } from '../context.ts';
import { type Deliverer, deliveryPlanSchema, releaseOrderSchema } from '../events/open-deliverer.ts';
import { authenticatePaymentIntent, authenticateSetupIntent } from '../payments/authenticate-intent.ts';
import { cardOutcomeSchema, setCardOutcome } from '../payments/card-outcomes.ts';
import { closeDispute, disputeEndSchema, openDispute } from '../payments/dispute-charge.ts';
import { methodSettingsSchema } from '../payments/method-settings.ts';
import { catchDecline } from '../stripe-error.ts';
import { advanceCustomer, advanceSchema } from '../time/advance-customer.ts';
import type { Scheduler } from '../time/open-scheduler.ts';
import { type FailureQueue, failureSchema } from './failures.ts';
import { parseBody } from './parse-body.ts';

interface Controls {
  context: Context;
  failures: FailureQueue;
  deliverer: Deliverer;
  scheduler: Scheduler;
}

/** Adds the double's own endpoints, which control failures, event deliveries, time, and payments. */
export function registerControls(app: FastifyInstance, { context, failures, deliverer, scheduler }: Controls): void {
  const done = { done: true };
  registerTimeControls(app, { context, deliverer, scheduler });
  registerObjectControls(app, { context, onStored: deliverer.planNew });
  app.post('/_control/failures', ({ body }) => {
    failures.add(parseBody(failureSchema, body));
    return done;
  });
  app.get('/_control/failures', () => failures.list());
  app.delete('/_control/failures', () => {
    failures.clear();
    return done;
  });
  app.post('/_control/deliveries', ({ body }) => {
    deliverer.setPlan(parseBody(deliveryPlanSchema, body));
    return done;
  });
  app.post('/_control/deliveries/release', async ({ body }) => {
    await deliverer.release(parseBody(z.strictObject({ order: releaseOrderSchema.default('created') }), body).order);
    return done;
  });
  app.post<{ Params: { id: string } }>('/_control/events/:id/resend', async ({ params }) => {
    await deliverer.resend(params.id);
    return done;
  });
}

function registerTimeControls(app: FastifyInstance, { context, deliverer, scheduler }: Omit<Controls, 'failures'>) {
  app.post<{ Params: { id: string } }>('/_control/customers/:id/advance', ({ params, body }) => {
    const input = parseBody(advanceSchema, body);
    const seconds = context.store.transaction(() => advanceCustomer(context, params.id, input));
    scheduler.runDue();
    deliverer.planNew();
    return { done: true, seconds };
  });
  app.post('/_control/retries', ({ body }) => {
    const policy = parseBody(retryPolicySchema, body);
    context.store.transaction(() => context.store.put('retryPolicies', { id: 'current', ...policy }));
    return { done: true };
  });
}

interface ControlOptions {
  context: Context;
  onStored(): void;
}

type ObjectRoute = { Params: { id: string } };

/** Adds the endpoints that simulate customers and their banks, and that change the account's settings. */
function registerObjectControls(app: FastifyInstance, { context, onStored }: ControlOptions): void {
  const run = <R>(work: () => R): R => {
    const result = context.store.transaction(work);
    onStored();
    return result;
  };
  const done = { done: true };
  app.post('/_control/payment_methods', ({ body }) => {
    const settings = parseBody(methodSettingsSchema, body);
    run(() => context.store.put('methodSettings', { id: 'current', ...settings }));
    return done;
  });
  app.post<ObjectRoute>('/_control/payment_methods/:id', ({ params, body }) => {
    const { outcome } = parseBody(z.strictObject({ outcome: cardOutcomeSchema }), body);
    run(() => setCardOutcome(context, params.id, outcome));
    return done;
  });
  app.post('/_control/tax', ({ body }) => {
    const settings = parseBody(taxSettingsSchema, body);
    run(() => context.store.put('taxSettings', { id: 'current', ...settings }));
    return done;
  });
  app.post<ObjectRoute>('/_control/charges/:id/dispute', ({ params }) => ({
    ...done,
    id: run(() => openDispute(context, params.id)).id,
  }));
  app.post<ObjectRoute>('/_control/disputes/:id/close', ({ params, body }) => {
    const end = parseBody(disputeEndSchema, body);
    run(() => closeDispute(context, params.id, end));
    return done;
  });
  const authentications = { payment_intents: authenticatePaymentIntent, setup_intents: authenticateSetupIntent };
  for (const [kind, authenticate] of Object.entries(authentications))
    app.post<ObjectRoute>(`/_control/${kind}/:id/authenticate`, ({ params, body }) => {
      const { isPassed } = parseBody(z.strictObject({ isPassed: z.boolean() }), body);
      run(() => catchDecline(() => authenticate(context, { id: params.id, isPassed })));
      return done;
    });
}
