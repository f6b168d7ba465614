import { escapeHtml } from '../../escape-html.ts';
import { htmlPage } from '../pages/html-page.ts';
import type { Tables } from '../state/tables.ts';
import type { PaymentChoice } from './complete-session.ts';

type Session = Tables['checkoutSessions'];

interface PageState {
  session: Session;
  /** What the session sells. */
  product: string;
  /** Why the last attempt failed. */
  error?: string | undefined;
  /** Whether PayPal can be chosen. */
  hasPaypal: boolean;
}

/** Returns the page on which a person types a test card. */
export function checkoutPage({ session, product, error, hasPaypal }: PageState): string {
  const amount = `$${((session.amount_total ?? 0) / 100).toFixed(2)}`;
  const action = session.mode === 'subscription' ? 'Subscribe' : 'Pay';
  const cancel = session.cancel_url ? `<p><a href="${escapeHtml(session.cancel_url)}">Cancel</a></p>` : '';
  return page(
    `${action} with a test card`,
    `<p>${escapeHtml(product)}: <strong>${amount}</strong></p>
${session.automatic_tax.status === 'requires_location_inputs' ? '<p>Tax is added to it, for a test address in California.</p>' : ''}
${error ? `<p role="alert">${escapeHtml(error)}</p>` : ''}
<form method="post"><label>Card number <input name="number" inputmode="numeric" autocomplete="off" required value="4242 4242 4242 4242"></label>
<p>Use one of Stripe's test numbers. Expiry and security code aren't needed.</p>
${session.tax_id_collection?.enabled ? companyFields : ''}<button>${action}: ${amount}</button></form>
${hasPaypal ? paypalForm : ''}${cancel}`,
  );
}

const companyFields = `<p><label>Business name (optional) <input name="company" autocomplete="organization"></label></p>
<p><label>Tax ID (optional) <input name="taxId" autocomplete="off"></label></p>
`;

const paypalForm = `<form method="post"><p>or</p><button>Pay with PayPal</button></form>`;

/** Returns the page that stands in for the bank of the customer, or for PayPal. */
export const authenticationPage = ({ number, company, taxId }: PaymentChoice): string =>
  page(
    'Authenticate the payment',
    `<p>${number === undefined ? 'PayPal asks for your consent.' : 'This card asks for 3-D Secure.'}</p>
<form method="post">${Object.entries({ number, company, taxId })
      .map(([name, value]) =>
        value === undefined ? '' : `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
      )
      .join('')}
<button name="authentication" value="passed">Complete authentication</button>
<button name="authentication" value="failed">Fail authentication</button></form>`,
  );

/** Returns the page of a session that is expired or unknown. */
export const closedPage = (): string =>
  page('Checkout closed', '<p>This checkout has expired. Go back to start again.</p>');

const page = (title: string, body: string) => htmlPage({ title, body: `<h1>${title}</h1>${body}` });
