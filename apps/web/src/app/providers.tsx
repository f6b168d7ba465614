import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { AuthProvider } from '../features/session/auth-provider.tsx';
import { queryClient } from '../lib/api/query-client.ts';
import { useAnnouncement } from '../lib/notifications/announce.ts';
import { TooltipProvider } from '../ui/controls/tooltip.tsx';
import { Toaster } from '../ui/overlays/toaster.tsx';

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

export function Providers({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <AuthProvider>{children}</AuthProvider>
      </TooltipProvider>
      <Toaster />
      <LiveRegion />
    </QueryClientProvider>
  );
}
