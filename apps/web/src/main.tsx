import './styles.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { replaceServed } from './app/replace-served.ts';
import { deleteExpiredFiles } from './lib/images/file-store.ts';
import { syncTabs } from './lib/session/session-lifecycle.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
void deleteExpiredFiles();
syncTabs();
// Pages without content of their own have a text for browsers without JavaScript only.
if (root.querySelector(':scope > :not(noscript)')) void replaceServed(root, () => createRoot(root).render(<App />));
else createRoot(root).render(<App />);
