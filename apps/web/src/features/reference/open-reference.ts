import styles from '@scalar/api-reference/style.css?url';
import './scalar.css';
import { createApiReference } from '@scalar/api-reference';

type Options = { url: string; address: string; isDark: boolean };

/** Its rules mean all of the page (`body`, custom properties), so they stay no longer than it does. */
function addStyles(onReady: () => void, signal: AbortSignal): HTMLLinkElement {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = styles;
  link.addEventListener('load', onReady, { signal });
  document.head.prepend(link);
  return link;
}

/**
 * Draw the description of the API into an element, with a console that calls this site and nothing else: no proxy, no
 * fonts, assistants or measurements of others. The returned function removes it.
 */
export function openReference(element: Element, { url, address, isDark }: Options): () => void {
  let close = () => {};
  const gone = new AbortController();
  const link = addStyles(() => {
    close = createApiReference(element, makeConfiguration({ url, address, isDark })).destroy;
  }, gone.signal);
  return () => {
    close();
    gone.abort();
    link.remove();
    // It marks the whole page with its own theme.
    document.body.classList.remove('light-mode', 'dark-mode');
  };
}

type Configuration = Parameters<typeof createApiReference>[1];

const makeConfiguration = ({ url, address, isDark }: Options): Configuration => ({
  url,
  // Wherever the description says that the service is: what is tried goes to the site that is open.
  servers: [{ url: address }],
  baseServerURL: address,
  proxyUrl: '',
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true, hideAddApi: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  hideDarkModeToggle: true,
  forceDarkModeState: isDark ? 'dark' : 'light',
  persistAuth: false,
  theme: 'none',
  layout: 'modern',
  documentDownloadType: 'none',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
});
