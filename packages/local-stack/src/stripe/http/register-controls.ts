import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { taxSettingsSchema } from '../billing/line-amounts.ts';
import { retryPolicySchema } from '../billing/record-payment.ts';
import type { Context, RouteOptions } from '../context.ts';
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

type ObjectRoute = { Params: { id: string } };

interface Controls {
  context: Context;
  failures: FailureQueue;
  deliverer: Deliverer;
  scheduler: Scheduler;
}

/** Adds the double's own endpoints, which control failures, event deliveries, time, and payments. */
export function registerControls(app: FastifyInstance, { context, failures, deliverer, scheduler }: Controls): void {
  const done = { done: true };
  registerObjectControls(app, { context, onStored: deliverer.planNew });
  app.post<ObjectRoute>('/_control/customers/:id/advance', ({ params, body }) => {
    const input = parseBody(advanceSchema, body);
    const seconds = context.store.transaction(() => advanceCustomer(context, params.id, input));
    scheduler.runDue();
    deliverer.planNew();
    return { done: true, seconds };
  });
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
  app.post<ObjectRoute>('/_control/events/:id/resend', async ({ params }) => {
    await deliverer.resend(params.id);
    return done;
  });
}

/** Adds the endpoints that simulate customers and their banks, and that change the account's settings. */
function registerObjectControls(app: FastifyInstance, { context, onStored }: RouteOptions): void {
  const { store } = context;
  const run = <R>(work: () => R): R => {
    const result = store.transaction(work);
    onStored();
    return result;
  };
  const control = <S extends z.ZodType>(path: string, schema: S, act: (input: z.output<S>, id: string) => unknown) =>
    app.post<ObjectRoute>(path, ({ params, body }) => {
      const input = parseBody(schema, body);
      run(() => act(input, params.id));
      return { done: true };
    });
  const current = { id: 'current' } as const;
  control('/_control/payment_methods', methodSettingsSchema, (input) =>
    store.put('methodSettings', { ...current, ...input }),
  );
  control('/_control/retries', retryPolicySchema, (input) => store.put('retryPolicies', { ...current, ...input }));
  control('/_control/tax', taxSettingsSchema, (input) => store.put('taxSettings', { ...current, ...input }));
  control('/_control/payment_methods/:id', z.strictObject({ outcome: cardOutcomeSchema }), ({ outcome }, id) =>
    setCardOutcome(context, id, outcome),
  );
  app.post<ObjectRoute>('/_control/charges/:id/dispute', ({ params }) => ({
    done: true,
    id: run(() => openDispute(context, params.id)).id,
  }));
  control('/_control/disputes/:id/close', disputeEndSchema, (end, id) => closeDispute(context, id, end));
  const authentications = { payment_intents: authenticatePaymentIntent, setup_intents: authenticateSetupIntent };
  for (const [kind, authenticate] of Object.entries(authentications))
    control(`/_control/${kind}/:id/authenticate`, z.strictObject({ isPassed: z.boolean() }), ({ isPassed }, id) =>
      catchDecline(() => authenticate(context, { id, isPassed })),
    );
}
