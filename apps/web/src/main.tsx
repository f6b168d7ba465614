import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { replaceServed } from './app/replace-served.ts';
import { router } from './app/router.tsx';
import { AuthProvider } from './features/session/auth-provider.tsx';
import { queryClient } from './lib/api/query-client.ts';
import { deleteExpiredFiles } from './lib/images/file-store.ts';
import { useAnnouncement } from './lib/notifications/announce.ts';
import { syncTabs } from './lib/session/session-lifecycle.ts';
import { TooltipProvider } from './ui/controls/tooltip.tsx';
import { LazyToaster } from './ui/overlays/lazy-toaster.tsx';

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

const App = () => (
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

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
void deleteExpiredFiles();
syncTabs();
// Pages without content of their own have a text for browsers without JavaScript only.
if (root.querySelector(':scope > :not(noscript)')) void replaceServed(root, () => createRoot(root).render(<App />));
else createRoot(root).render(<App />);
