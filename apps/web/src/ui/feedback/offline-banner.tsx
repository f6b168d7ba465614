import { WifiOff } from 'lucide-react';
import { useEffect } from 'react';
import { useOnline } from '../../lib/browser/use-online.ts';
import { announce } from '../../lib/notifications/announce.ts';
import { messages } from '../../messages.ts';

/** Shown while the browser is offline. */
export function OfflineBanner() {
  const isOnline = useOnline();
  useEffect(() => {
    if (!isOnline) announce(messages.offline);
  }, [isOnline]);
  if (isOnline) return null;
  return (
    <p
      data-offline
      className="sticky top-14 z-20 flex items-center justify-center gap-2 border-line border-b bg-sunken px-4 py-2 text-sm"
    >
      <WifiOff aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0" />
      {messages.offline}
    </p>
  );
}
