import Fastify from 'fastify';
import { registerBrowser } from './browser/register-browser.ts';
import { calls } from './calls.ts';
import { registerCheckout } from './checkout/register-checkout.ts';
import type { Context } from './context.ts';
import { connectEndpoint, type Destination } from './events/connect-endpoint.ts';
import { makeEmitEvent } from './events/emit-event.ts';
import { openDeliverer } from './events/open-deliverer.ts';
import type { StripeKeys } from './http/authorize.ts';
import { makeFailures } from './http/failures.ts';
import { parseForm } from './http/parse-form.ts';
import { registerCalls } from './http/register-calls.ts';
import { registerControls } from './http/register-controls.ts';
import { registerPages } from './pages/register-pages.ts';
import { registerInvoicePdf } from './pdf/register-invoice-pdf.ts';
import { openSchemas } from './schemas.ts';
import { openStore } from './state/open-store.ts';
import { openScheduler } from './time/open-scheduler.ts';

export interface StripeDoubleOptions extends StripeKeys {
  /** On loopback. 0 for any free port. */
  port: number;
  /** Folder of the state, which survives restarts. */
  dataDir: string;
  /** Receives all events. Others are created as webhook endpoints. */
  destination?: Destination;
  /** Returns Unix time in seconds. */
  now?: () => number;
}

export type StripeDouble = Awaited<ReturnType<typeof openStripeDouble>>;

/** Opens a server that stands in for Stripe's API on loopback. docs/stripe-double.md lists what it doesn't do. */
export async function openStripeDouble(options: StripeDoubleOptions) {
  const { port, dataDir, destination, now = secondsNow, ...keys } = options;
  const store = openStore(dataDir);
  const schemas = openSchemas();
  let url = '';
  const context: Context = {
    store,
    schemas,
    now,
    origin: () => url,
    emit: makeEmitEvent({ store, schemas, now }),
  };
  if (destination) connectEndpoint(context, destination);
  const deliverer = openDeliverer(context);
  const scheduler = openScheduler(context, { onStored: deliverer.planNew });
  const failures = makeFailures();
  const app = Fastify({ forceCloseConnections: true, routerOptions: { querystringParser: parseForm } });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, parseForm(String(body)));
  });
  // Every call sees what has happened until now.
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
