import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { Context, RouteOptions } from '../context.ts';
import { isEqualInConstantTime } from '../http/browser-calls.ts';
import { htmlPage, sendPage, testModeNote } from '../pages/html-page.ts';
import { authenticatePaymentIntent, authenticateSetupIntent } from '../payments/authenticate-intent.ts';
import type { Tables } from '../state/tables.ts';
import { catchDecline } from '../stripe-error.ts';

type Route = { Params: { id: string }; Querystring: { client_secret?: string } };

const modules = ['api.js', 'card-fields.js', 'intents.js', 'payment-form.js', 'authenticated.js'];
/**
 * Paths of Stripe.js. Pages load the first path from the origin that the product configures, and the other paths from
 * Stripe's own origin.
 */
const scriptPaths = ['/stripe.js', '/v3/', '/endive/stripe.js'];
const formSchema = z.object({ authentication: z.enum(['passed', 'failed']) });

/** Adds the script that replaces Stripe.js, and the pages that the script shows in frames. */
export function registerBrowser(app: FastifyInstance, { context, onStored }: RouteOptions): void {
  const script = joinScripts([
    'api.js',
    'intents.js',
    'payment-element.js',
    'elements.js',
    'challenge.js',
    'stripe.js',
  ]);
  for (const path of scriptPaths) app.get(path, (_request, reply) => reply.type('text/javascript').send(script));
  for (const name of modules)
    app.get(`/elements/${name}`, (_request, reply) => reply.type('text/javascript').send(readScript(name)));
  app.get('/elements/payment', (_request, reply) => sendPage(reply, paymentFormPage(), { isFrame: true }));
  registerAuthentication(app, { context, onStored });
}

function registerAuthentication(app: FastifyInstance, { context, onStored }: RouteOptions): void {
  const find = ({ params, query }: { params: Route['Params']; query: Route['Querystring'] }) =>
    findPendingIntent(context, params.id, query.client_secret ?? '');
  /**
   * Completes the authentication of an intent. If the card is declined, keeps the failed payment. Returns whether the
   * customer passed and the card wasn't declined.
   */
  const answer = (intent: NonNullable<ReturnType<typeof find>>, body: unknown): boolean => {
    const isPassed = formSchema.safeParse(body).data?.authentication === 'passed';
    const declined = context.store.transaction(() => catchDecline(() => authenticateIntent(context, intent, isPassed)));
    onStored();
    return isPassed && !declined;
  };
  app.get<Route>('/3d_secure/:id', (request, reply) => {
    const intent = find(request);
    return sendPage(reply, intent ? challengePage(intent) : authenticatedPage(), { isFrame: true });
  });
  app.post<Route>('/3d_secure/:id', (request, reply) => {
    const intent = find(request);
    if (intent) answer(intent, request.body);
    return sendPage(reply, authenticatedPage(), { isFrame: true });
  });
  app.get<Route>('/redirect/:id', (request, reply) => {
    const intent = find(request);
    return intent ? sendPage(reply, redirectPage(intent)) : sendPage(reply.code(410), endedRedirectPage());
  });
  app.post<Route>('/redirect/:id', (request, reply) => {
    const intent = find(request);
    const returnUrl = intent && findReturnUrl(intent, answer(intent, request.body));
    return returnUrl ? reply.redirect(returnUrl, 303) : sendPage(reply.code(410), endedRedirectPage());
  });
}

const folder = new URL('../../../browser/', import.meta.url);

const readScript = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

/**
 * Joins modules into one classic script, because pages load Stripe.js as a classic script. Each module must follow the
 * modules that it imports.
 */
function joinScripts(names: readonly string[]): string {
  const bodies = names.map((name) =>
    readScript(name)
      .replaceAll(/^import .*$/gm, '')
      .replaceAll(/^export /gm, ''),
  );
  return `(() => {\n'use strict';\n${bodies.join('\n')}})();\n`;
}

type Intent = Tables['paymentIntents'] | Tables['setupIntents'];

/** Returns an intent if it requires action and `secret` is its client secret. */
function findPendingIntent({ store }: Context, id: string, secret: string): Intent | undefined {
  const intent = store.get('paymentIntents', id) ?? store.get('setupIntents', id);
  const isOwn = intent?.client_secret && isEqualInConstantTime(secret, intent.client_secret);
  return isOwn && intent.status === 'requires_action' ? intent : undefined;
}

function authenticateIntent(context: Context, { id, object }: Intent, isPassed: boolean): void {
  if (object === 'payment_intent') authenticatePaymentIntent(context, { id, isPassed });
  else authenticateSetupIntent(context, { id, isPassed });
}

const challengeCss = 'html{background:Canvas}button{margin:0 8px 8px 0}';

function challengePage(intent: Tables['paymentIntents'] | Tables['setupIntents']): string {
  const purpose =
    intent.object === 'payment_intent'
      ? `A payment of $${(intent.amount / 100).toFixed(2)} needs your confirmation.`
      : 'Saving this card needs your confirmation.';
  return htmlPage({
    title: '3D Secure authentication',
    css: challengeCss,
    body: `<h1>3-D Secure</h1><p>${purpose}</p><form method="post">
<button name="authentication" value="passed">Complete</button>
<button name="authentication" value="failed">Fail</button></form>`,
  });
}

/** Its script makes Stripe.js continue. */
const authenticatedPage = (): string =>
  htmlPage({
    title: 'Continue',
    css: challengeCss,
    body: '<p>Back to the payment.</p>',
    script: '/elements/authenticated.js',
  });

function redirectPage(intent: Intent): string {
  const purpose =
    intent.object === 'payment_intent'
      ? `Pay $${(intent.amount / 100).toFixed(2)} with PayPal.`
      : 'Use PayPal for later payments.';
  return htmlPage({
    title: 'PayPal test page',
    css: 'button{margin:0 8px 8px 0}',
    body: `<h1>PayPal test page</h1><p>${purpose}</p><form method="post">
<button name="authentication" value="passed">Authorize test payment</button>
<button name="authentication" value="failed">Fail test payment</button></form>`,
  });
}

/** For an intent that doesn't exist or doesn't require action. */
const endedRedirectPage = (): string =>
  htmlPage({ title: 'Payment ended', body: '<h1>Payment ended</h1><p>Go back to the shop to see its result.</p>' });

/**
 * Returns an intent's return URL, with the parameters that Stripe adds to it. Returns undefined if the intent has no
 * return URL.
 */
function findReturnUrl(intent: Intent, isPassed: boolean): string | undefined {
  const returnUrl = intent.next_action?.redirect_to_url?.return_url;
  if (!returnUrl) return undefined;
  const url = new URL(returnUrl);
  url.searchParams.set(intent.object, intent.id);
  url.searchParams.set(`${intent.object}_client_secret`, intent.client_secret ?? '');
  url.searchParams.set('redirect_status', isPassed ? 'succeeded' : 'failed');
  return url.href;
}

const style = `:root{color-scheme:light;font:var(--fontSizeBase,16px)/1.4 system-ui,sans-serif;background:transparent;color:var(--colorText,#30313d)}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0}
form{padding:4px}
.note{color:var(--colorTextSecondary,#6d6e78);margin:0 0 12px}
fieldset{border:0;display:flex;gap:12px;margin:0 0 12px;padding:0}
legend{padding:0}
fieldset label{align-items:center;border:1px solid var(--colorEdge,#8886);border-radius:var(--borderRadius,5px);display:flex;flex:1;gap:8px;padding:8px 12px}
.field{display:block;margin-bottom:12px}
.field input{background:var(--colorBackground,#fff);border:1px solid var(--colorEdge,#8886);border-radius:var(--borderRadius,5px);color:inherit;display:block;font:inherit;margin-top:4px;padding:10px 12px;width:100%}
input:focus-visible{outline:2px solid var(--colorPrimary,#0570de);outline-offset:1px}
input[aria-invalid=true]{border-color:var(--colorDanger,#df1b41)}
.error{color:var(--colorDanger,#df1b41);display:block;font-size:.9em}
.row{display:grid;gap:12px;grid-template-columns:1fr 1fr}`;

interface Field {
  name: string;
  label: string;
  placeholder: string;
  autocomplete: string;
}

const renderField = ({ name, label, placeholder, autocomplete }: Field) =>
  `<label class="field">${label}<input name="${name}" inputmode="numeric" placeholder="${placeholder}" autocomplete="${autocomplete}" aria-describedby="${name}-error"><span class="error" id="${name}-error" role="alert"></span></label>`;

const fields = {
  number: renderField({
    name: 'number',
    label: 'Card number',
    placeholder: '4242 4242 4242 4242',
    autocomplete: 'cc-number',
  }),
  expiry: renderField({ name: 'expiry', label: 'Expiration date', placeholder: 'MM / YY', autocomplete: 'cc-exp' }),
  cvc: renderField({ name: 'cvc', label: 'Security code', placeholder: 'CVC', autocomplete: 'cc-csc' }),
};

const paymentFormPage = (): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Payment</title><style>${style}</style></head><body>
<form hidden novalidate><p class="note">${testModeNote}. Use one of Stripe's test cards.</p>
<fieldset id="methods"><legend hidden>Payment method</legend>
<label><input type="radio" name="method" value="card" checked>Card</label>
<label><input type="radio" name="method" value="paypal">PayPal</label></fieldset>
<div id="card">${fields.number}<div class="row">${fields.expiry}${fields.cvc}</div></div>
<p id="paypal" class="note" hidden>You continue on PayPal's page.</p></form>
<script type="module" src="/elements/payment-form.js"></script></body></html>`;
