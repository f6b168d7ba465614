import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { taxSettingsSchema } from '../billing/apply-tax.ts';
import { catchDecline } from '../catch-decline.ts';
import type { Context } from '../context.ts';
import { authenticatePaymentIntent } from '../payments/authenticate-payment-intent.ts';
import { authenticateSetupIntent } from '../payments/authenticate-setup-intent.ts';
import { cardOutcomeSchema, setCardOutcome } from '../payments/card-outcomes.ts';
import { closeDispute, disputeEndSchema, openDispute } from '../payments/dispute-charge.ts';
import { methodSettingsSchema } from '../payments/method-settings.ts';
import { parseBody } from './parse-body.ts';

interface ControlOptions {
  context: Context;
  /** Called when events were stored. */
  onStored(): void;
}

type OfObject = { Params: { id: string } };

/** Adds the calls that do what customers and their banks do. */
export function registerObjectControls(app: FastifyInstance, { context, onStored }: ControlOptions): void {
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
  app.post<OfObject>('/_control/payment_methods/:id', ({ params, body }) => {
    const { outcome } = parseBody(z.strictObject({ outcome: cardOutcomeSchema }), body);
    run(() => setCardOutcome(context, params.id, outcome));
    return done;
  });
  app.post('/_control/tax', ({ body }) => {
    const settings = parseBody(taxSettingsSchema, body);
    run(() => context.store.put('taxSettings', { id: 'current', ...settings }));
    return done;
  });
  app.post<OfObject>('/_control/charges/:id/dispute', ({ params }) => ({
    ...done,
    id: run(() => openDispute(context, params.id)).id,
  }));
  app.post<OfObject>('/_control/disputes/:id/close', ({ params, body }) => {
    const end = parseBody(disputeEndSchema, body);
    run(() => closeDispute(context, params.id, end));
    return done;
  });
  const authentications = { payment_intents: authenticatePaymentIntent, setup_intents: authenticateSetupIntent };
  for (const [kind, authenticate] of Object.entries(authentications))
    app.post<OfObject>(`/_control/${kind}/:id/authenticate`, ({ params, body }) => {
      const { isPassed } = parseBody(z.strictObject({ isPassed: z.boolean() }), body);
      run(() => catchDecline(() => authenticate(context, { id: params.id, isPassed })));
      return done;
    });
}
