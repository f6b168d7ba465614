import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { addressOf } from '../../http/request-callers.ts';
import type { ApiAdapter } from '../api-adapter.ts';

/** What subscribers do with their plan. Without Stripe's keys, the endpoints respond with `billing_not_configured`. */
export function registerChangeRoutes({ route, actorOf }: ApiAdapter, deps: Deps): void {
  const open = async (request: FastifyRequest) => {
    const { accountId } = await actorOf(request);
    const { payments, verbs } = await deps.billing.get();
    return { accountId, verbs, ctx: { db: deps.db, vault: deps.vault, log: deps.log, payments } };
  };
  route('previewChange', async (request) => {
    const { ctx, verbs, accountId } = await open(request);
    const { priceId, code } = request.body;
    const typed = code === undefined ? undefined : { code, ipAddress: addressOf(request) };
    return await verbs.previewChange(ctx, { accountId, priceId, typed });
  });
  route('changePlan', async (request) => {
    const { ctx, verbs, accountId } = await open(request);
    return await verbs.changePlan(ctx, { accountId, ...request.body });
  });
  route('undoChange', async (request) => {
    const { ctx, verbs, accountId } = await open(request);
    return await verbs.undoChange(ctx, accountId);
  });
  route('cancelSubscription', async (request) => {
    const { ctx, verbs, accountId } = await open(request);
    return await verbs.cancelPlan(ctx, { accountId, ...request.body });
  });
  route('refundSubscription', async (request) => {
    const { ctx, verbs, accountId } = await open(request);
    return await verbs.refundPlan(ctx, { accountId, ...request.body });
  });
  route('resumeSubscription', async (request) => {
    const { ctx, verbs, accountId } = await open(request);
    return await verbs.resumePlan(ctx, { accountId, ...request.body });
  });
  route('pauseSubscription', async (request) => {
    const { ctx, verbs, accountId } = await open(request);
    return await verbs.pausePlan(ctx, { accountId, ...request.body });
  });
  route('changeCard', async (request) => {
    const { ctx, verbs, accountId } = await open(request);
    return await verbs.changeCard(ctx, accountId);
  });
  route('payInvoice', async (request) => {
    const { ctx, verbs, accountId } = await open(request);
    return await verbs.payBill(ctx, accountId);
  });
  route('downloadInvoice', async (request, reply) => {
    const { ctx, verbs, accountId } = await open(request);
    const url = await verbs.findInvoicePdf(ctx, { accountId, ...request.params });
    return reply.header('cache-control', 'no-store').redirect(url, 302);
  });
}
