import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requireUser } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { addressOf } from '../../http/request-callers.ts';
import type { ApiAdapter } from '../api-adapter.ts';

/** Handlers for buying a plan, in our form or on Stripe's page. */
export const purchaseHandlers = ({ actorOf }: ApiAdapter, deps: Deps) => {
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
  return defineHandlers({
    createSubscription: async (request, reply) => {
      const { verbs, ctx, input } = await open(request);
      // The response contains a secret that lets a browser pay.
      reply.header('cache-control', 'no-store');
      return verbs.createSubscription(ctx, { ...input, ...request.body });
    },
    createCheckoutSession: async (request) => {
      const { verbs, ctx, input } = await open(request);
      return verbs.createCheckoutSession(ctx, { ...input, ...request.body });
    },
    buyPack: async (request) => {
      const { verbs, ctx, input } = await open(request);
      return verbs.buyPack(ctx, { ...input, ...request.body });
    },
    refreshBilling: async (request) => {
      const { accountId } = await actorOf(request);
      const { payments, verbs } = await deps.billing.get();
      return verbs.refreshBilling({ db, log, payments }, { accountId, ...request.body });
    },
    billingConfig: async () => {
      const { payments, verbs } = await deps.billing.get();
      const { apiUrl } = config.payments ?? {};
      return {
        publishableKey: payments.publishableKey,
        scriptOrigin: apiUrl ? new URL(apiUrl).origin : null,
        isTest: payments.mode === 'test',
        collectsTax: (await verbs.readBillingSettings(db)).collectsTax,
      };
    },
  });
};
