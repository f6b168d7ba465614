import { isRouteErrorResponse, useRouteError } from 'react-router';
import { ErrorPage } from '../pages/error.tsx';
import { NotFoundPage } from '../pages/not-found.tsx';
import { SiteLayout } from './layouts/site-layout.tsx';

/** In place of a page that threw, or of an address that no pattern takes: `*` stops at line separators. */
export function RouteFault() {
  const error = useRouteError();
  if (!isRouteErrorResponse(error) || error.status !== 404) return <ErrorPage />;
  return (
    <SiteLayout>
      <NotFoundPage />
    </SiteLayout>
  );
}
