import { isRouteErrorResponse, useRouteError } from 'react-router';
import { isLoadFault } from '../lib/api/is-load-fault.ts';
import { ErrorPage } from '../pages/error.tsx';
import { NotFoundPage } from '../pages/not-found.tsx';
import { NotLoadedPage } from '../pages/not-loaded.tsx';
import { SiteLayout } from './layouts/site-layout.tsx';

/** In place of a page that threw or did not come, or of an address that no pattern takes: `*` stops at line separators. */
export function RouteFault() {
  const error = useRouteError();
  const isNotFound = isRouteErrorResponse(error) && error.status === 404;
  if (!isNotFound && !isLoadFault(error)) return <ErrorPage />;
  return <SiteLayout>{isNotFound ? <NotFoundPage /> : <NotLoadedPage />}</SiteLayout>;
}
