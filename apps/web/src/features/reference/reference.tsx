import styles from '@scalar/api-reference/style.css?url';
import './scalar.css';
import { createApiReference } from '@scalar/api-reference';
import { routes } from '@uprez/contracts/endpoints/routes';
import { useEffect, useRef } from 'react';
import { codeMessages } from '../../ui/code/messages.ts';

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
function openReference(element: Element, { url, address, isDark }: Options): () => void {
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

/** Scalar's copy buttons have no accessible name, and its mobile header duplicates the banner landmark of the site. */
function mend(element: Element): void {
  for (const header of element.querySelectorAll('header:not([role])')) header.setAttribute('role', 'group');
  for (const button of element.querySelectorAll('button[class*="copy-button"]:not([aria-label])'))
    button.setAttribute('aria-label', codeMessages.copyCode);
}

/** Fixes the accessibility of Scalar's output as it changes. Returns a function that stops it. */
function fixAccessibility(element: Element): () => void {
  const observer = new MutationObserver(() => mend(element));
  observer.observe(element, { childList: true, subtree: true });
  return () => observer.disconnect();
}

export function Reference({ isDark }: { isDark: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return;
    // Scalar removes the element that it was mounted on.
    const element = place.current.appendChild(document.createElement('div'));
    const endMending = fixAccessibility(place.current);
    const close = openReference(element, { url: routes.v1OpenApi.path, address: window.location.origin, isDark });
    return () => {
      close();
      endMending();
    };
  }, [isDark]);
  return <div ref={place} />;
}
