import styles from '@scalar/api-reference/style.css?url';
import './scalar.css';
import { createApiReference } from '@scalar/api-reference';

type Options = { url: string; address: string; isDark: boolean };

/** Scalar's rules apply to the whole document (`body`, custom properties), so they are removed with it. */
function addStyles(onReady: () => void, signal: AbortSignal): HTMLLinkElement {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = styles;
  link.addEventListener('load', onReady, { signal });
  document.head.prepend(link);
  return link;
}

/**
 * Renders the API reference with a console that only calls this site. Proxy, web fonts, assistants, and telemetry are
 * disabled. Returns a function that removes it.
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
    // Scalar sets its theme on the body.
    document.body.classList.remove('light-mode', 'dark-mode');
  };
}

type Configuration = Parameters<typeof createApiReference>[1];

const makeConfiguration = ({ url, address, isDark }: Options): Configuration => ({
  url,
  // The console calls this site, whatever server the description names.
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
