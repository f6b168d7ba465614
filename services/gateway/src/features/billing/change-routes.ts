import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { defineHandlers } from '../../http/contract.ts';
import { addressOf } from '../../http/request-callers.ts';
import type { ApiAdapter } from '../api-adapter.ts';

/**
 * Handlers for subscribers' changes to their plan. Without Stripe's keys, the endpoints respond with
 * `billing_not_configured`.
 */
export const changeHandlers = ({ actorOf }: ApiAdapter, deps: Deps) => {
  const open = async (request: FastifyRequest) => {
    const { accountId } = await actorOf(request);
    const { payments, verbs } = await deps.billing.get();
    return { accountId, verbs, ctx: { db: deps.db, vault: deps.vault, log: deps.log, payments } };
  };
  return defineHandlers({
    previewChange: async (request) => {
      const { ctx, verbs, accountId } = await open(request);
      const { priceId, code } = request.body;
      const typed = code === undefined ? undefined : { code, ipAddress: addressOf(request) };
      return await verbs.previewChange(ctx, { accountId, priceId, typed });
    },
    changePlan: async (request) => {
      const { ctx, verbs, accountId } = await open(request);
      return await verbs.changePlan(ctx, { accountId, ...request.body });
    },
    undoChange: async (request) => {
      const { ctx, verbs, accountId } = await open(request);
      return await verbs.undoChange(ctx, accountId);
    },
    cancelSubscription: async (request) => {
      const { ctx, verbs, accountId } = await open(request);
      return await verbs.cancelPlan(ctx, { accountId, ...request.body });
    },
    refundSubscription: async (request) => {
      const { ctx, verbs, accountId } = await open(request);
      return await verbs.refundPlan(ctx, { accountId, ...request.body });
    },
    resumeSubscription: async (request) => {
      const { ctx, verbs, accountId } = await open(request);
      return await verbs.resumePlan(ctx, { accountId, ...request.body });
    },
    pauseSubscription: async (request) => {
      const { ctx, verbs, accountId } = await open(request);
      return await verbs.pausePlan(ctx, { accountId, ...request.body });
    },
    changeCard: async (request) => {
      const { ctx, verbs, accountId } = await open(request);
      return await verbs.changeCard(ctx, accountId);
    },
    payInvoice: async (request) => {
      const { ctx, verbs, accountId } = await open(request);
      return await verbs.payBill(ctx, accountId);
    },
    downloadInvoice: async (request, reply) => {
      const { ctx, verbs, accountId } = await open(request);
      const url = await verbs.findInvoicePdf(ctx, { accountId, ...request.params });
      return reply.header('cache-control', 'no-store').redirect(url, 302);
    },
  });
};
