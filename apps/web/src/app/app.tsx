import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { RouterProvider } from 'react-router/dom';
import { AuthProvider } from '../features/session/auth-provider.tsx';
import { queryClient } from '../lib/api/query-client.ts';
import { useAnnouncement } from '../lib/notifications/announce.ts';
import { TooltipProvider } from '../ui/controls/tooltip.tsx';
import { LazyToaster } from '../ui/overlays/lazy-toaster.tsx';
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

/** The web app: its pages, and what all of them share. */
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
