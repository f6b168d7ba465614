import { useEffect, useRef } from 'react';
import { useOnline } from '../lib/browser/use-online.ts';
import { messages } from '../messages.ts';
import { Button } from '../ui/controls/button.tsx';
import { PageHeading } from '../ui/layout/page-heading.tsx';

const text = messages.notLoaded;
const load = () => window.location.reload();

/** Shown when the code of a page cannot be loaded. Reloads when the browser is online again. */
export function LoadErrorPage() {
  const isOnline = useOnline();
  const wasOffline = useRef(!isOnline);
  useEffect(() => {
    if (!isOnline) wasOffline.current = true;
    else if (wasOffline.current) load();
  }, [isOnline]);
  return (
    <div className="grid grow place-content-center justify-items-center gap-3 px-4 py-24 text-center">
      <PageHeading title={messages.page.notLoaded} className="text-xl">
        {text.title}
      </PageHeading>
      <p className="max-w-md text-muted text-pretty">{isOnline ? text.online : text.offline}</p>
      {/* Offline, a reload would show the browser's error page. */}
      {isOnline && (
        <Button className="mt-3" onClick={load}>
          {messages.error.reload}
        </Button>
      )}
    </div>
  );
}
