import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { AuthProvider } from '../features/session/auth-provider.tsx';
import { queryClient } from '../lib/api/query-client.ts';
import { LiveRegion } from '../ui/feedback/live-region.tsx';
import { Toaster } from '../ui/overlays/toaster.tsx';
import { TooltipProvider } from '../ui/overlays/tooltip.tsx';

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
