import type { Context } from '../context.ts';
import type { Tables } from '../state/tables.ts';

/** Ends an open checkout session that wasn't paid. */
export function expireSession(context: Context, before: Tables['checkoutSessions']): Tables['checkoutSessions'] {
  const session = context.store.put('checkoutSessions', { ...before, status: 'expired', url: null });
  context.emit('checkout.session.expired', session);
  return session;
}
