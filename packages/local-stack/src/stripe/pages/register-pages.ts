import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { Context } from '../context.ts';
import type { Deliverer } from '../events/open-deliverer.ts';
import { parseBody } from '../http/parse-body.ts';
import { cardOutcomeSchema, setCardOutcome } from '../payments/card-outcomes.ts';
import { closeDispute, findDispute, openDispute } from '../payments/dispute-charge.ts';
import { StripeError } from '../stripe-error.ts';
import { advanceCustomer } from '../time/advance-customer.ts';
import type { Scheduler } from '../time/open-scheduler.ts';
import { customerPage } from './customer-page.ts';
import { sendPage } from './html-page.ts';
import { missingPage } from './missing-page.ts';
import { overviewPage } from './overview-page.ts';

interface PagesOptions {
  context: Context;
  deliverer: Deliverer;
  scheduler: Scheduler;
}

type OfCustomer = { Params: { id: string } };

const steps = {
  day: { seconds: 86_400 },
  period_end: { until: 'period_end' },
  payment_attempt: { until: 'payment_attempt' },
} as const;
const stepSchema = z.object({ step: z.enum(['day', 'period_end', 'payment_attempt']) });
const deliverySchema = z.object({
  mode: z.enum(['send', 'hold', 'drop']),
  delayS: z.coerce.number().min(0).max(86_400),
});

/** Adds the pages with which people look at the double and decide what happens. They need no scripts. */
export function registerPages(app: FastifyInstance, options: PagesOptions): void {
  app.register((pages, _options, done) => {
    pages.addHook('onRequest', async ({ method, headers }) => {
      if (method === 'POST') requireOwnForm(headers);
    });
    registerCustomerPages(pages, options);
    registerDisputeForm(pages, options);
    registerEventForms(pages, options.deliverer);
    done();
  });
}

/** Throws unless a form was sent by a page of the double, or by a program. */
function requireOwnForm({ 'sec-fetch-site': site = 'none' }: { 'sec-fetch-site'?: unknown }): void {
  if (site === 'cross-site' || site === 'same-site')
    throw new StripeError(403, { type: 'invalid_request_error', message: 'This form is of another site.' });
}

function registerCustomerPages(app: FastifyInstance, { context, deliverer, scheduler }: PagesOptions): void {
  const { store } = context;
  app.get('/', (_request, reply) => sendPage(reply, overviewPage(context, { plan: deliverer.plan() })));
  app.get<OfCustomer>('/customers/:id', ({ params }, reply) => {
    const customer = store.get('customers', params.id);
    return customer ? sendPage(reply, customerPage(context, { customer })) : sendPage(reply.code(404), missingPage());
  });
  app.post<OfCustomer>('/customers/:id/time', ({ params, body }, reply) => {
    const customer = store.get('customers', params.id);
    if (!customer) return sendPage(reply.code(404), missingPage());
    const { step } = parseBody(stepSchema, body);
    try {
      store.transaction(() => advanceCustomer(context, params.id, steps[step]));
    } catch (error) {
      if (!(error instanceof StripeError)) throw error;
      return sendPage(reply, customerPage(context, { customer, error: error.message }));
    }
    scheduler.runDue();
    deliverer.planNew();
    return reply.redirect(`/customers/${params.id}`, 303);
  });
  app.post<{ Params: { id: string; method: string } }>('/customers/:id/methods/:method', ({ params, body }, reply) => {
    const { outcome } = parseBody(z.object({ outcome: cardOutcomeSchema }), body);
    store.transaction(() => setCardOutcome(context, params.method, outcome));
    return reply.redirect(`/customers/${params.id}`, 303);
  });
}

type OfCharge = { Params: { id: string; charge: string } };
const disputeSchema = z.object({ action: z.enum(['open', 'lost', 'won']) });

function registerDisputeForm(app: FastifyInstance, { context, deliverer }: PagesOptions): void {
  app.post<OfCharge>('/customers/:id/charges/:charge/dispute', ({ params, body }, reply) => {
    const { action } = parseBody(disputeSchema, body);
    context.store.transaction(() => {
      if (action === 'open') openDispute(context, params.charge);
      else closeDispute(context, findDispute(context, params.charge)?.id ?? '', { status: action });
    });
    deliverer.planNew();
    return reply.redirect(`/customers/${params.id}`, 303);
  });
}

function registerEventForms(app: FastifyInstance, deliverer: Deliverer): void {
  app.post('/deliveries', ({ body }, reply) => {
    const { mode, delayS } = parseBody(deliverySchema, body);
    deliverer.setPlan({ mode, delayMs: Math.round(delayS * 1_000) });
    return reply.redirect('/', 303);
  });
  app.post('/deliveries/release', async (_request, reply) => {
    await deliverer.release('created');
    return reply.redirect('/', 303);
  });
  app.post<OfCustomer>('/events/:id/resend', async ({ params }, reply) => {
    await deliverer.resend(params.id);
    return reply.redirect('/', 303);
  });
}
