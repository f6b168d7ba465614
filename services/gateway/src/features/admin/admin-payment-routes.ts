import {
  exportStripeEvents,
  listStripeEvents,
  retryStripeEvent,
} from '@uprez/domain/admin/payments/list-stripe-events';
import { exportSubscriptions, listSubscriptions } from '@uprez/domain/admin/payments/list-subscriptions';
import { exportTransactions, listTransactions } from '@uprez/domain/admin/payments/list-transactions';
import { readPaymentHealth } from '@uprez/domain/admin/payments/read-health';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requireAdmin } from '../../http/authenticate.ts';
import { areEmailsMasked } from '../../http/mask-emails.ts';
import { linkNext } from '../../http/public-links.ts';
import type { ApiAdapter } from '../api-adapter.ts';
import { stripeEventColumns, subscriptionColumns, transactionColumns } from './export-columns.ts';
import { sendExport } from './send-export.ts';

const prefix = '/api/admin/payments';

const filterOf = <Query extends object>(request: FastifyRequest & { query: Query }) => ({
  ...request.query,
  byName: areEmailsMasked(request),
});

/** Subscriptions and payments of all accounts, and the inbox of Stripe's events. */
export function registerAdminPaymentRoutes({ route }: ApiAdapter, deps: Deps): void {
  route('adminListSubscriptions', async (request, reply) => {
    const { rows, ...page } = await listSubscriptions(deps, filterOf(request));
    linkNext(reply, { path: `${prefix}/subscriptions`, query: request.query, ...page });
    return rows;
  });
  route('adminExportSubscriptions', async (request, reply) => {
    const pages = await exportSubscriptions(deps, filterOf(request));
    return sendExport(reply, { name: 'subscriptions', columns: subscriptionColumns, pages, query: request.query });
  });
  route('adminListTransactions', async (request, reply) => {
    const { rows, ...page } = await listTransactions(deps, filterOf(request));
    linkNext(reply, { path: `${prefix}/transactions`, query: request.query, ...page });
    return rows;
  });
  route('adminExportTransactions', async (request, reply) => {
    const pages = await exportTransactions(deps, filterOf(request));
    return sendExport(reply, { name: 'transactions', columns: transactionColumns, pages, query: request.query });
  });
  route('adminListStripeEvents', async (request, reply) => {
    const { rows, ...page } = await listStripeEvents(deps, filterOf(request));
    linkNext(reply, { path: `${prefix}/events`, query: request.query, ...page });
    return rows;
  });
  route('adminExportStripeEvents', async (request, reply) => {
    const pages = await exportStripeEvents(deps, filterOf(request));
    return sendExport(reply, { name: 'stripeEvents', columns: stripeEventColumns, pages, query: request.query });
  });
  route('adminPaymentHealth', async () => ({
    ...(await readPaymentHealth(deps)),
    isConfigured: deps.config.payments !== undefined,
  }));
}

/** What administrators change: refunds, cancellations, bills, and what is read from Stripe again. */
export function registerAdminPaymentWriteRoutes({ route }: ApiAdapter, deps: Deps): void {
  const open = async () => {
    const { payments, verbs } = await deps.billing.get();
    return { ctx: { ...deps, payments }, verbs };
  };
  route('adminRefundTransaction', async (request) => {
    const { ctx, verbs } = await open();
    const input = { admin: await requireAdmin(deps, request), id: request.params.id, ...request.body };
    return verbs.refundPayment(ctx, input);
  });
  route('adminCancelSubscription', async (request) => {
    const { ctx, verbs } = await open();
    const input = { admin: await requireAdmin(deps, request), id: request.params.id, ...request.body };
    return verbs.cancelSubscription(ctx, input);
  });
  route('adminRetryInvoice', async (request) => {
    const { ctx, verbs } = await open();
    return verbs.retryInvoice(ctx, { admin: await requireAdmin(deps, request), id: request.params.id });
  });
  route('adminResyncAccount', async (request) => {
    const { ctx, verbs } = await open();
    return verbs.resyncAccount(ctx, { admin: await requireAdmin(deps, request), accountId: request.params.id });
  });
  route('adminRetryStripeEvent', async (request) =>
    retryStripeEvent(deps, { admin: await requireAdmin(deps, request), id: request.params.id }),
  );
}
