import { listStripeEvents, retryStripeEvent } from '@uprez/domain/admin/payments/list-stripe-events';
import { exportSubscriptions, listSubscriptions } from '@uprez/domain/admin/payments/list-subscriptions';
import { readPaymentHealth } from '@uprez/domain/admin/payments/read-health';
import type { Deps } from '../../deps.ts';
import { requireAdmin } from '../../http/authenticate.ts';
import { linkNext } from '../../http/public-links.ts';
import type { Dialect } from '../dialect.ts';
import { subscriptionColumns } from './csv-columns.ts';
import { sendCsv } from './send-csv.ts';

const prefix = '/api/admin/payments';

/** Subscriptions of all accounts, and the inbox of Stripe's events. */
export function registerAdminPaymentRoutes({ route }: Dialect, deps: Deps): void {
  route('adminListSubscriptions', async (request, reply) => {
    const { rows, ...page } = await listSubscriptions(deps, request.query);
    linkNext(reply, { path: `${prefix}/subscriptions`, query: request.query, ...page });
    return rows;
  });
  route('adminExportSubscriptions', async (request, reply) => {
    const pages = await exportSubscriptions(deps, request.query);
    return sendCsv(reply, { name: 'subscriptions', columns: subscriptionColumns, pages });
  });
  route('adminListStripeEvents', async (request, reply) => {
    const { rows, ...page } = await listStripeEvents(deps, request.query);
    linkNext(reply, { path: `${prefix}/events`, query: request.query, ...page });
    return rows;
  });
  route('adminRetryStripeEvent', async (request) =>
    retryStripeEvent(deps, { admin: await requireAdmin(deps, request), id: request.params.id }),
  );
  route('adminPaymentHealth', async () => ({
    ...(await readPaymentHealth(deps)),
    isConfigured: deps.config.payments !== undefined,
  }));
}
