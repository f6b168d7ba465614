import { readPaymentHealth } from '@uprez/domain/admin/payments/health';
import {
  exportStripeEvents,
  listStripeEvents,
  retryStripeEvent,
} from '@uprez/domain/admin/payments/list-stripe-events';
import { exportSubscriptions, listSubscriptions } from '@uprez/domain/admin/payments/list-subscriptions';
import { exportTransactions, listTransactions } from '@uprez/domain/admin/payments/list-transactions';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requireAdmin, requireAdminAndId } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { areEmailsMasked } from '../../http/mask-emails.ts';
import { rowsOfPage } from '../../http/public-links.ts';
import { stripeEventColumns, subscriptionColumns, transactionColumns } from './export-columns.ts';
import { sendExport } from './send-export.ts';

const filterOf = <Query extends object>(request: FastifyRequest & { query: Query }) => ({
  ...request.query,
  byName: areEmailsMasked(request),
});

export const adminPaymentHandlers = (deps: Deps) =>
  defineHandlers({
    adminListSubscriptions: async (request, reply) =>
      rowsOfPage(reply, await listSubscriptions(deps, filterOf(request))),
    adminExportSubscriptions: async (request, reply) => {
      const pages = await exportSubscriptions(deps, filterOf(request));
      return sendExport(reply, { name: 'subscriptions', columns: subscriptionColumns, pages, query: request.query });
    },
    adminListTransactions: async (request, reply) => rowsOfPage(reply, await listTransactions(deps, filterOf(request))),
    adminExportTransactions: async (request, reply) => {
      const pages = await exportTransactions(deps, filterOf(request));
      return sendExport(reply, { name: 'transactions', columns: transactionColumns, pages, query: request.query });
    },
    adminListStripeEvents: async (request, reply) => rowsOfPage(reply, await listStripeEvents(deps, filterOf(request))),
    adminExportStripeEvents: async (request, reply) => {
      const pages = await exportStripeEvents(deps, filterOf(request));
      return sendExport(reply, { name: 'stripeEvents', columns: stripeEventColumns, pages, query: request.query });
    },
    adminPaymentHealth: async () => ({
      ...(await readPaymentHealth(deps)),
      isConfigured: deps.config.payments !== undefined,
    }),
  });

export const adminPaymentWriteHandlers = (deps: Deps) => {
  const open = async () => {
    const { payments, verbs } = await deps.billing.get();
    return { ctx: { ...deps, payments }, verbs };
  };
  return defineHandlers({
    adminRefundTransaction: async (request) => {
      const { ctx, verbs } = await open();
      return verbs.refundPayment(ctx, { ...(await requireAdminAndId(deps, request)), ...request.body });
    },
    adminCancelSubscription: async (request) => {
      const { ctx, verbs } = await open();
      return verbs.cancelSubscription(ctx, { ...(await requireAdminAndId(deps, request)), ...request.body });
    },
    adminRetryInvoice: async (request) => {
      const { ctx, verbs } = await open();
      return verbs.retryInvoice(ctx, await requireAdminAndId(deps, request));
    },
    adminResyncAccount: async (request) => {
      const { ctx, verbs } = await open();
      return verbs.resyncAccount(ctx, { admin: await requireAdmin(deps, request), accountId: request.params.id });
    },
    adminRetryStripeEvent: async (request) => retryStripeEvent(deps, await requireAdminAndId(deps, request)),
  });
};
