import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { AuthProvider } from './features/session/auth-provider.tsx';
import { userKey } from './lib/api/queries.ts';
import { queryClient } from './lib/api/query-client.ts';
import { TooltipProvider } from './ui/controls/tooltip.tsx';

/** Returns the HTML of a page of a path, as a visitor sees it. Runs at build time. */
export function renderPage(path: string, element: ReactNode): string {
  queryClient.setQueryData(userKey, null);
  const router = createMemoryRouter([{ path, element }], { initialEntries: [path] });
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <AuthProvider>
          <RouterProvider router={router} />
        </AuthProvider>
      </TooltipProvider>
    </QueryClientProvider>,
  );
}
