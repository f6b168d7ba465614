import { randomUUID } from 'node:crypto';
import { routes } from '@uprez/contracts/endpoints/routes';
import { withCatalogLock } from '@uprez/db/locks';
import { createWebhookEndpoint, listWebhookEndpoints, type WebhookEndpoint } from '@uprez/payments/stripe-account';
import type { Needs } from '../context.ts';
import { ensureStripeAccount } from './ensure-stripe-account.ts';

type EnsuredEndpoint = {
  endpoint: WebhookEndpoint;
  /**
   * Secret of a newly created endpoint. Undefined if the endpoint already existed, because Stripe shows a secret only
   * once.
   */
  secret?: string;
  /** Existing endpoints for this URL that are disabled, send other events, or use another API version. */
  outdated: WebhookEndpoint[];
};

/** Finds or creates the Stripe endpoint that sends our events to `publicUrl`. */
export const ensureWebhookEndpoint = (ctx: Needs<'db' | 'payments'>, publicUrl: string): Promise<EnsuredEndpoint> =>
  withCatalogLock(ctx.db, async () => {
    await ensureStripeAccount(ctx);
    const url = new URL(routes.stripeWebhook.path, publicUrl).href;
    const existing = (await listWebhookEndpoints(ctx.payments)).filter((one) => one.isOurs && one.url === url);
    const endpoint = existing.find(({ isCurrent, isEnabled }) => isCurrent && isEnabled);
    if (endpoint) return { endpoint, outdated: [] };
    const idempotencyKey = `billing-webhook:${randomUUID()}`;
    return { ...(await createWebhookEndpoint(ctx.payments, { url, idempotencyKey })), outdated: existing };
  });
