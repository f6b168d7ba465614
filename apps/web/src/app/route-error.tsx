import { isRouteErrorResponse, useRouteError } from 'react-router';
import { isChunkLoadError } from '../lib/api/is-chunk-load-error.ts';
import { ErrorPage } from '../pages/error.tsx';
import { LoadErrorPage } from '../pages/load-error.tsx';
import { NotFoundPage } from '../pages/not-found.tsx';
import { SiteLayout } from './layouts/site-layout.tsx';

/** Shown when a page throws, its code cannot be loaded, or no route matches (`*` does not match line separators). */
export function RouteError() {
  const error = useRouteError();
  const isNotFound = isRouteErrorResponse(error) && error.status === 404;
  if (!isNotFound && !isChunkLoadError(error)) return <ErrorPage />;
  return <SiteLayout>{isNotFound ? <NotFoundPage /> : <LoadErrorPage />}</SiteLayout>;
}
