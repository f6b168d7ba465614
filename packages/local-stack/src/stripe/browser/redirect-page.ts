import { htmlPage } from '../pages/html-page.ts';
import type { Tables } from '../state/tables.ts';

type Intent = Tables['paymentIntents'] | Tables['setupIntents'];

/** Returns the page that stands in for PayPal's. */
export function redirectPage(intent: Intent): string {
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

/** Returns the page of an intent that waits for nothing. */
export const endedRedirectPage = (): string =>
  htmlPage({ title: 'Payment ended', body: '<h1>Payment ended</h1><p>Go back to the shop to see its result.</p>' });

/** Returns the URL to which the page leads, with the parameters that Stripe adds. Undefined if nobody named one. */
export function findReturnUrl(intent: Intent, isPassed: boolean): string | undefined {
  const returnUrl = intent.next_action?.redirect_to_url?.return_url;
  if (!returnUrl) return undefined;
  const url = new URL(returnUrl);
  url.searchParams.set(intent.object, intent.id);
  url.searchParams.set(`${intent.object}_client_secret`, intent.client_secret ?? '');
  url.searchParams.set('redirect_status', isPassed ? 'succeeded' : 'failed');
  return url.href;
}
