import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { catchDecline } from '../catch-decline.ts';
import type { Context } from '../context.ts';
import { sendPage } from '../pages/html-page.ts';
import { authenticateIntent, findWaitingIntent } from './authenticate-intent.ts';
import { authenticatedPage, challengePage } from './challenge-pages.ts';
import { paymentFormPage } from './payment-form-page.ts';
import { joinScripts, readScript } from './read-script.ts';
import { endedRedirectPage, findReturnUrl, redirectPage } from './redirect-page.ts';

interface BrowserOptions {
  context: Context;
  /** Called when events were stored. */
  onStored(): void;
}

type Route = { Params: { id: string }; Querystring: { client_secret?: string } };

const modules = ['api.js', 'card-fields.js', 'intents.js', 'payment-form.js', 'authenticated.js'];
/** Where pages look for Stripe.js: at the origin that the product names, and at Stripe's own one. */
const scriptPaths = ['/stripe.js', '/v3/', '/endive/stripe.js'];
const formSchema = z.object({ authentication: z.enum(['passed', 'failed']) });

/** Adds the stand-in for Stripe.js, and the pages in its frames. */
export function registerBrowser(app: FastifyInstance, { context, onStored }: BrowserOptions): void {
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

/** Adds the pages that stand in for those of banks and of PayPal. */
function registerAuthentication(app: FastifyInstance, { context, onStored }: BrowserOptions): void {
  const find = ({ params, query }: { params: Route['Params']; query: Route['Querystring'] }) =>
    findWaitingIntent(context, params.id, query.client_secret ?? '');
  /** Ends what an intent waits for. A declined card leaves a failed payment. Returns whether the customer passed. */
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
