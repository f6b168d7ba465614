import { useEffect, useRef } from 'react';
import { useOnline } from '../lib/browser/use-online.ts';
import { messages } from '../messages.ts';
import { Button } from '../ui/controls/button.tsx';
import { PageHeading } from '../ui/layout/page-heading.tsx';

const text = messages.notLoaded;
const load = () => window.location.reload();

/** In place of a page whose code did not come; it comes as soon as there is a network again. */
export function NotLoadedPage() {
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
      {/* Without a network it would lead to an error of the browser. */}
      {isOnline && (
        <Button className="mt-3" onClick={load}>
          {messages.error.reload}
        </Button>
      )}
    </div>
  );
}
