import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requireUser } from '../../http/authenticate.ts';
import { addressOf } from '../../http/request-callers.ts';
import type { ApiAdapter } from '../api-adapter.ts';

/** Buying a plan, in our form or on Stripe's page. */
export function registerPurchaseRoutes({ route, actorOf }: ApiAdapter, deps: Deps): void {
  const { db, log, config } = deps;
  const open = async (request: FastifyRequest) => {
    const buyer = await requireUser(deps, request);
    const { payments, verbs } = await deps.billing.get();
    return {
      verbs,
      ctx: { db, log, payments },
      input: { buyer, publicUrl: config.PUBLIC_URL, ipAddress: addressOf(request) },
    };
  };
  route('createSubscription', async (request, reply) => {
    const { verbs, ctx, input } = await open(request);
    // The secret lets a browser pay.
    reply.header('cache-control', 'no-store');
    return verbs.createSubscription(ctx, { ...input, ...request.body });
  });
  route('createCheckoutSession', async (request) => {
    const { verbs, ctx, input } = await open(request);
    return verbs.createCheckoutSession(ctx, { ...input, ...request.body });
  });
  route('buyPack', async (request) => {
    const { verbs, ctx, input } = await open(request);
    return verbs.buyPack(ctx, { ...input, ...request.body });
  });
  route('refreshBilling', async (request) => {
    const { accountId } = await actorOf(request);
    const { payments, verbs } = await deps.billing.get();
    return verbs.refreshBilling({ db, log, payments }, { accountId, ...request.body });
  });
  route('billingConfig', async () => {
    const { payments, verbs } = await deps.billing.get();
    const { apiUrl } = config.payments ?? {};
    return {
      publishableKey: payments.publishableKey,
      scriptOrigin: apiUrl ? new URL(apiUrl).origin : null,
      isTest: payments.mode === 'test',
      collectsTax: (await verbs.readBillingSettings(db)).collectsTax,
    };
  });
}
