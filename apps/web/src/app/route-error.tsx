import { useEffect, useRef } from 'react';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { isChunkLoadError } from '../lib/api/is-chunk-load-error.ts';
import { useOnline } from '../lib/browser/use-online.ts';
import { messages } from '../messages.ts';
import { NotFoundPage } from '../pages/not-found.tsx';
import { Button } from '../ui/controls/button.tsx';
import { LogoMark } from '../ui/layout/logo-mark.tsx';
import { PageHeading } from '../ui/layout/page-heading.tsx';
import { usePageHead } from '../ui/layout/use-page-head.ts';
import { SiteLayout } from './layouts/site-layout.tsx';

const { error: text, notLoaded: loadText } = messages;
const load = () => window.location.reload();

/** Shown when the code of a page cannot be loaded. Reloads when the browser is online again. */
function LoadErrorPage() {
  const isOnline = useOnline();
  const wasOffline = useRef(!isOnline);
  useEffect(() => {
    if (!isOnline) wasOffline.current = true;
    else if (wasOffline.current) load();
  }, [isOnline]);
  return (
    <div className="grid grow place-content-center justify-items-center gap-3 px-4 py-24 text-center">
      <PageHeading title={messages.page.notLoaded} className="text-xl">
        {loadText.title}
      </PageHeading>
      <p className="max-w-md text-muted text-pretty">{isOnline ? loadText.online : loadText.offline}</p>
      {/* Offline, a reload would show the browser's error page. */}
      {isOnline && (
        <Button className="mt-3" onClick={load}>
          {text.reload}
        </Button>
      )}
    </div>
  );
}

function ErrorPage() {
  usePageHead(messages.page.error);
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-3 p-6 text-center">
      <LogoMark className="size-10 text-muted" />
      <h1 className="text-xl">{text.title}</h1>
      <p className="text-muted">{text.text}</p>
      <Button className="mt-3" onClick={load}>
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
