import Fastify from 'fastify';
import { parse } from 'qs';
import { registerBrowser } from './browser/register-browser.ts';
import { registerCheckout } from './checkout/register-checkout.ts';
import type { Context } from './context.ts';
import { makeEmitEvent } from './events/emit-event.ts';
import { openDeliverer } from './events/open-deliverer.ts';
import type { StripeKeys } from './http/authorize.ts';
import type { ServedCall } from './http/define-call.ts';
import { makeFailureQueue } from './http/failures.ts';
import { registerCalls } from './http/register-calls.ts';
import { registerControls } from './http/register-controls.ts';
import { registerPages } from './pages/register-pages.ts';
import { registerInvoicePdf } from './pdf/register-invoice-pdf.ts';
import { accountCalls } from './resources/account.ts';
import { chargeCalls } from './resources/charges.ts';
import { checkoutSessionCalls } from './resources/checkout-sessions.ts';
import { couponCalls } from './resources/coupons.ts';
import { customerCalls } from './resources/customers.ts';
import { invoiceCalls } from './resources/invoices.ts';
import { paymentIntentCalls } from './resources/payment-intents.ts';
import { paymentMethodCalls } from './resources/payment-methods.ts';
import { priceCalls } from './resources/prices.ts';
import { productCalls } from './resources/products.ts';
import { promotionCodeCalls } from './resources/promotion-codes.ts';
import { refundCalls } from './resources/refunds.ts';
import { setupIntentCalls } from './resources/setup-intents.ts';
import { subscriptionScheduleCalls } from './resources/subscription-schedules.ts';
import { subscriptionCalls } from './resources/subscriptions.ts';
import { testClockCalls } from './resources/test-clocks.ts';
import { webhookEndpointCalls } from './resources/webhook-endpoints.ts';
import { openSchemas } from './schemas.ts';
import { openStore } from './state/open-store.ts';
import { openScheduler } from './time/open-scheduler.ts';
import { apiVersion } from './wire.ts';

interface StripeDoubleOptions extends StripeKeys {
  /** Port on loopback. 0 selects any free port. */
  port: number;
  /** Folder for the state, which survives restarts. */
  dataDir: string;
  /** Webhook endpoint that receives all events. Other endpoints are created through the API. */
  destination?: Destination;
  /** Returns the current Unix time in seconds. Default: the system time. */
  now?: () => number;
}

export type StripeDouble = Awaited<ReturnType<typeof openStripeDouble>>;

/** Opens a server that simulates Stripe's API on loopback. docs/stripe-double.md lists its limitations. */
export async function openStripeDouble(options: StripeDoubleOptions) {
  const { port, dataDir, destination, now = secondsNow, ...keys } = options;
  const store = openStore(dataDir);
  const schemas = openSchemas();
  const emit = makeEmitEvent({ store, schemas, now });
  let url = '';
  const context: Context = {
    store,
    schemas,
    now,
    origin: () => url,
    emit,
    save: (table, type, row) => {
      store.put(table, row);
      emit(type, row);
      return row;
    },
  };
  if (destination) connectEndpoint(context, destination);
  const deliverer = openDeliverer(context);
  const scheduler = openScheduler(context, { onStored: deliverer.planNew });
  const failures = makeFailureQueue();
  const app = Fastify({ forceCloseConnections: true, routerOptions: { querystringParser: parseForm } });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, parseForm(String(body)));
  });
  // Runs all due tasks before each request, because the request must see their effects.
  app.addHook('preHandler', async () => scheduler.runDue());
  registerCalls(app, { context, calls, keys, failures, onStored: deliverer.planNew });
  registerCheckout(app, { context, onStored: deliverer.planNew });
  registerBrowser(app, { context, onStored: deliverer.planNew });
  registerInvoicePdf(app, context);
  registerPages(app, { context, deliverer, scheduler });
  registerControls(app, { context, failures, deliverer, scheduler });
  url = await app.listen({ host: '127.0.0.1', port });
  return {
    url,
    port: Number(new URL(url).port),
    failures,
    deliverer,
    close: async () => {
      scheduler.close();
      deliverer.close();
      await app.close();
    },
  };
}

const secondsNow = () => Math.floor(Date.now() / 1_000);

/** The signing secret is given instead of generated, because the endpoint's server already knows it. */
interface Destination {
  url: string;
  secret: string;
}

const endpointId = 'we_local';

function connectEndpoint({ store, now }: Pick<Context, 'store' | 'now'>, { url, secret }: Destination): void {
  store.transaction(() => {
    store.put('webhookEndpoints', {
      id: endpointId,
      object: 'webhook_endpoint',
      api_version: apiVersion,
      application: null,
      created: store.get('webhookEndpoints', endpointId)?.created ?? now(),
      description: null,
      enabled_events: ['*'],
      livemode: false,
      metadata: {},
      status: 'enabled',
      url,
    });
    store.put('webhookSecrets', { id: endpointId, secret });
  });
}

/** `items[0][price]=x` becomes `{ items: [{ price: 'x' }] }`. */
const parseForm = (text: string): Record<string, unknown> =>
  parse(text, { depth: 10, arrayLimit: 100, parameterLimit: 1_000, allowPrototypes: false });

export const calls: readonly ServedCall[] = [
  ...accountCalls,
  ...chargeCalls,
  ...checkoutSessionCalls,
  ...couponCalls,
  ...customerCalls,
  ...invoiceCalls,
  ...paymentIntentCalls,
  ...paymentMethodCalls,
  ...priceCalls,
  ...productCalls,
  ...promotionCodeCalls,
  ...refundCalls,
  ...setupIntentCalls,
  ...subscriptionCalls,
  ...subscriptionScheduleCalls,
  ...testClockCalls,
  ...webhookEndpointCalls,
];
