import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, StrictMode, useEffect, useState } from 'react';
import { RouterProvider } from 'react-router/dom';
import { AuthProvider } from '../features/session/auth-provider.tsx';
import { queryClient } from '../lib/api/query-client.ts';
import { whenIdle } from '../lib/browser/when-idle.ts';
import { useAnnouncement } from '../lib/notifications/announce.ts';
import { useToasts } from '../lib/notifications/toast-store.ts';
import { TooltipProvider } from '../ui/controls/tooltip.tsx';
import { router } from './router.tsx';

/** The polite live region. Two elements alternate, so that a repeated text is announced again. */
function LiveRegion() {
  const { text, turn } = useAnnouncement();
  return (
    <div role="status" aria-live="polite" className="sr-only">
      <p>{turn % 2 === 0 && text}</p>
      <p>{turn % 2 === 1 && text}</p>
    </div>
  );
}

export const App = () => (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <AuthProvider>
          <RouterProvider router={router} />
        </AuthProvider>
      </TooltipProvider>
      <LazyToaster />
      <LiveRegion />
    </QueryClientProvider>
  </StrictMode>
);

/** Loads the toaster when the browser is idle, or with the first toast. If that fails, the next toast tries again. */
function LazyToaster() {
  const [Toaster, setToaster] = useState<ComponentType>();
  const shownId = useToasts(({ toasts }) => toasts[0]?.id);
  const isLoaded = Toaster !== undefined;
  useEffect(() => {
    if (isLoaded) return;
    const load = () =>
      import('../ui/overlays/toaster.tsx').then((loaded) => setToaster(() => loaded.Toaster)).catch(() => undefined);
    if (shownId === undefined) return whenIdle(() => void load());
    void load();
    return;
  }, [isLoaded, shownId]);
  return Toaster && <Toaster />;
}
