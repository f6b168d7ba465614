import type { FastifyInstance, FastifyReply } from 'fastify';
import * as z from 'zod';
import type { Context } from '../context.ts';
import { sendPage } from '../pages/html-page.ts';
import { idOf } from '../parameters/merge-field.ts';
import { isPaypalOn } from '../payments/method-settings.ts';
import type { Tables } from '../state/tables.ts';
import { StripeError } from '../stripe-error.ts';
import { authenticationPage, checkoutPage, closedPage } from './checkout-page.ts';
import { AuthenticationNeeded, completeSession } from './complete-session.ts';
import { successUrlOf } from './create-session.ts';

type Session = Tables['checkoutSessions'];

const formSchema = z.object({
  number: z.string().optional(),
  company: z.string().trim().optional(),
  taxId: z.string().trim().optional(),
  authentication: z.enum(['passed', 'failed']).optional(),
});

interface CheckoutOptions {
  context: Context;
  /** Called when events were stored. */
  onStored(): void;
}

type Route = { Params: { id: string } };

/** Adds the pages on which customers pay checkout sessions. */
export function registerCheckout(app: FastifyInstance, { context, onStored }: CheckoutOptions): void {
  app.get<Route>('/checkout/:id', ({ params }, reply) => {
    const session = findOpen(context, params.id);
    return session ? sendPage(reply, checkoutPage(describe(context, session))) : sendClosed(context, reply, params.id);
  });
  app.post<Route>('/checkout/:id', ({ params, body }, reply) => {
    const session = findOpen(context, params.id);
    const form = formSchema.safeParse(body).data;
    if (!session || !form) return sendClosed(context, reply, params.id);
    if (form.authentication === 'failed')
      return sendPage(reply, checkoutPage({ ...describe(context, session), error: authenticationFailed }));
    try {
      const { authentication, ...choice } = form;
      const input = { ...choice, isAuthenticated: authentication === 'passed' };
      const paid = context.store.transaction(() => completeSession(context, session, input));
      onStored();
      return reply.redirect(successUrlOf(paid), 303);
    } catch (error) {
      if (error instanceof AuthenticationNeeded) return sendPage(reply, authenticationPage(form));
      if (!(error instanceof StripeError)) throw error;
      return sendPage(reply, checkoutPage({ ...describe(context, session), error: error.message }));
    }
  });
}

const authenticationFailed = "We couldn't authenticate your card. Try again or use another card.";

/** A session that was paid leads on, also with the browser's Back button and in a second tab. Others have ended. */
function sendClosed({ store }: Context, reply: FastifyReply, id: string) {
  const session = store.get('checkoutSessions', id);
  return session?.status === 'complete'
    ? reply.redirect(successUrlOf(session), 303)
    : sendPage(reply.code(410), closedPage());
}

function findOpen({ store }: Context, id: string): Session | undefined {
  const session = store.get('checkoutSessions', id);
  return session?.status === 'open' ? session : undefined;
}

function describe(context: Context, session: Session) {
  const { store } = context;
  const price = store.get('prices', store.get('checkoutOrders', session.id)?.price ?? '');
  return {
    session,
    product: store.get('products', idOf(price?.product) ?? '')?.name ?? 'Order',
    hasPaypal: isPaypalOn(context),
  };
}
