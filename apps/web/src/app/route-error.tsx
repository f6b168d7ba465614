import { isRouteErrorResponse, useRouteError } from 'react-router';
import { isChunkLoadError } from '../lib/api/is-chunk-load-error.ts';
import { messages } from '../messages.ts';
import { LoadErrorPage } from '../pages/load-error.tsx';
import { NotFoundPage } from '../pages/not-found.tsx';
import { Button } from '../ui/controls/button.tsx';
import { LogoMark } from '../ui/layout/logo-mark.tsx';
import { SiteLayout } from './layouts/site-layout.tsx';

const text = messages.error;

function ErrorPage() {
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-3 p-6 text-center">
      <title>{messages.page.error}</title>
      <LogoMark className="size-10 text-muted" />
      <h1 className="text-xl">{text.title}</h1>
      <p className="text-muted">{text.text}</p>
      <Button className="mt-3" onClick={() => window.location.reload()}>
        {text.reload}
      </Button>
    </main>
  );
}

/** Shown when a page throws, its code cannot be loaded, or no route matches (`*` does not match line separators). */
export function RouteError() {
  const error = useRouteError();
  const isNotFound = isRouteErrorResponse(error) && error.status === 404;
  if (!isNotFound && !isChunkLoadError(error)) return <ErrorPage />;
  return <SiteLayout>{isNotFound ? <NotFoundPage /> : <LoadErrorPage />}</SiteLayout>;
}
