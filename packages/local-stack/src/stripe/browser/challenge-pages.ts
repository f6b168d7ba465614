import { htmlPage } from '../pages/html-page.ts';
import type { Tables } from '../state/tables.ts';

const css = 'html{background:Canvas}button{margin:0 8px 8px 0}';

/** Returns the page that stands in for the bank of the customer. */
export function challengePage(intent: Tables['paymentIntents'] | Tables['setupIntents']): string {
  const purpose =
    intent.object === 'payment_intent'
      ? `A payment of $${(intent.amount / 100).toFixed(2)} needs your confirmation.`
      : 'Saving this card needs your confirmation.';
  return htmlPage({
    title: '3D Secure authentication',
    css,
    body: `<h1>3-D Secure</h1><p>${purpose}</p><form method="post">
<button name="authentication" value="passed">Complete</button>
<button name="authentication" value="failed">Fail</button></form>`,
  });
}

/** Returns the page after it, which tells Stripe.js to continue. */
export const authenticatedPage = (): string =>
  htmlPage({ title: 'Continue', css, body: '<p>Back to the payment.</p>', script: '/elements/authenticated.js' });
