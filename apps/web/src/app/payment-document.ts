import { paymentPages } from '@uprez/contracts/texts/site/pages';
import { useEffect } from 'react';
import { redirectDocument, useLocation } from 'react-router';

const isPaymentPage = (pathname: string) => paymentPages.includes(pathname.replace(/\/$/, ''));

/** Whether the document may run scripts of the payment provider. Its policy stays the same while it is open. */
const isPaymentDocument = typeof window !== 'undefined' && isPaymentPage(window.location.pathname);

/** Loads a page that takes payments from the server, unless the document came from such a page. */
export const requirePaymentDocument = ({ request }: { request: Request }) =>
  isPaymentDocument ? null : redirectDocument(request.url);

/** Reloads a page that takes no payments if Stripe.js was loaded on the page before. */
export function useReloadAfterPayment(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    if (isPaymentDocument && 'Stripe' in window && !isPaymentPage(pathname)) window.location.reload();
  }, [pathname]);
}
