import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { retryPolicySchema } from '../billing/retry-policy.ts';
import type { Context } from '../context.ts';
import { deliveryPlanSchema, releaseOrderSchema } from '../events/delivery-plan.ts';
import type { Deliverer } from '../events/open-deliverer.ts';
import { advanceCustomer, advanceSchema } from '../time/advance-customer.ts';
import type { Scheduler } from '../time/open-scheduler.ts';
import { type Failures, failureSchema } from './failures.ts';
import { parseBody } from './parse-body.ts';
import { registerObjectControls } from './register-object-controls.ts';

interface Controls {
  context: Context;
  failures: Failures;
  deliverer: Deliverer;
  scheduler: Scheduler;
}

/** Adds the calls that Stripe doesn't have: they decide what fails, and when events arrive. Bodies are JSON. */
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

/** Adds the calls that decide how time passes. */
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
