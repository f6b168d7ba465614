import { paymentPages } from '@uprez/contracts/texts/pages';
import { redirectDocument } from 'react-router';

const isPaymentPage = (pathname: string) => paymentPages.includes(pathname.replace(/\/$/, ''));

/** Whether the document may run scripts of the payment provider. Its policy stays the same while it is open. */
const isPaymentDocument = isPaymentPage(window.location.pathname);

/** Loads a page that takes payments from the server, unless the document came from such a page. */
export const requirePaymentDocument = ({ request }: { request: Request }) =>
  isPaymentDocument ? null : redirectDocument(request.url);

/** Whether Stripe.js was loaded, and the page that is opened doesn't take payments. */
export const leavesPaymentDocument = (pathname: string): boolean =>
  isPaymentDocument && 'Stripe' in window && !isPaymentPage(pathname);
