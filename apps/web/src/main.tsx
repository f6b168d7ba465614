import './styles.css';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { router } from './app/router.tsx';
import { queryClient, userQuery } from './lib/api/query-client.ts';
import { deleteExpiredFiles } from './lib/images/file-store.ts';
import { syncTabs } from './lib/session/session-lifecycle.ts';

/** How long served content stays when the code and data of its page take longer. */
const pageMs = 2_000;

/** Resolves when the code and data of the first page are loaded, or after 2 seconds. */
const waitForPage = () =>
  new Promise<void>((resolve) => {
    if (router.state.initialized) resolve();
    else router.subscribe(({ initialized }) => initialized && resolve());
    setTimeout(resolve, pageMs);
  });

const listControls = (root: HTMLElement) => [...root.querySelectorAll<HTMLElement>('a[href], button')];

/**
 * Replaces what was served in the root, when the session is known and the page is loaded. The focus stays on its control:
 * the prerendered page has those of the app in their order, and other content has some of its links.
 */
async function replaceServed(root: HTMLElement, render: () => void): Promise<void> {
  await Promise.all([queryClient.prefetchQuery(userQuery), waitForPage()]);
  const index = listControls(root).indexOf(document.activeElement as HTMLElement);
  const href = document.activeElement?.getAttribute('href');
  flushSync(render);
  if (index < 0) return;
  const controls = listControls(root);
  const isSame = (control: HTMLElement | undefined) => control?.getAttribute('href') === href;
  const same = isSame(controls[index]) ? controls[index] : controls.find(isSame);
  same?.focus({ preventScroll: true });
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
void deleteExpiredFiles();
syncTabs();
// Pages without content of their own have a text for browsers without JavaScript only.
if (root.querySelector(':scope > :not(noscript)')) void replaceServed(root, () => createRoot(root).render(<App />));
else createRoot(root).render(<App />);
