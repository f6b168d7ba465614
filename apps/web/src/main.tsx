import './styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { Providers } from './app/providers.tsx';
import { router } from './app/router.tsx';
import { deleteExpiredFiles } from './lib/images/file-store.ts';
import { syncTabs } from './lib/session/session-lifecycle.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
void deleteExpiredFiles();
syncTabs();
createRoot(root).render(
  <StrictMode>
    <Providers>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
