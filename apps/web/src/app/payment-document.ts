import { paymentPages } from '@uprez/contracts/texts/site/pages';
import { useEffect } from 'react';
import { redirectDocument, useLocation } from 'react-router';

const isPaymentPage = (pathname: string) => paymentPages.includes(pathname.replace(/\/$/, ''));

/**
 * Whether the document's content security policy allows scripts of the payment provider. It can't change while the
 * document is open.
 */
const isPaymentDocument = typeof window !== 'undefined' && isPaymentPage(window.location.pathname);

/**
 * Route loader of payment pages: loads a new document from the server, unless the current one was served for a payment
 * page.
 */
export const requirePaymentDocument = ({ request }: { request: Request }) =>
  isPaymentDocument ? null : redirectDocument(request.url);

/** Reloads a page without payments if Stripe.js was loaded on the previous page. */
export function useReloadAfterPayment(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    if (isPaymentDocument && 'Stripe' in window && !isPaymentPage(pathname)) window.location.reload();
  }, [pathname]);
}
