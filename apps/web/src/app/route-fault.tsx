import { isRouteErrorResponse, useRouteError } from 'react-router';
import { isLoadFault } from '../lib/api/is-load-fault.ts';
import { ErrorPage } from '../pages/error.tsx';
import { NotFoundPage } from '../pages/not-found.tsx';
import { NotLoadedPage } from '../pages/not-loaded.tsx';
import { SiteLayout } from './layouts/site-layout.tsx';

/** Shown when a page throws, its code cannot be loaded, or no route matches (`*` does not match line separators). */
export function RouteFault() {
  const error = useRouteError();
  const isNotFound = isRouteErrorResponse(error) && error.status === 404;
  if (!isNotFound && !isLoadFault(error)) return <ErrorPage />;
  return <SiteLayout>{isNotFound ? <NotFoundPage /> : <NotLoadedPage />}</SiteLayout>;
}
