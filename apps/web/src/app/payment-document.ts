import { paymentPages } from '@uprez/contracts/texts/site/pages';
import { useEffect } from 'react';
import { redirectDocument, useLocation } from 'react-router';

const isPaymentPage = (pathname: string) => paymentPages.includes(pathname.replace(/\/$/, ''));

/**
 * Whether the document's content security policy allows scripts from the payment provider. The policy can't change
 * while the document is open.
 */
const isPaymentDocument = typeof window !== 'undefined' && isPaymentPage(window.location.pathname);

/**
 * Route loader of payment pages: loads a new document from the server, unless the current one was served for a payment
 * page.
 */
export const requirePaymentDocument = ({ request }: { request: Request }) =>
  isPaymentDocument ? null : redirectDocument(request.url);

/**
 * Reloads the page when the user leaves the payment pages after Stripe.js was loaded. The new document no longer allows
 * scripts from the payment provider.
 */
export function useReloadAfterPayment(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    if (isPaymentDocument && 'Stripe' in window && !isPaymentPage(pathname)) window.location.reload();
  }, [pathname]);
}
