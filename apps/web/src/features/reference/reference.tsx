import styles from '@scalar/api-reference/style.css?url';
import './scalar.css';
import { createApiReference } from '@scalar/api-reference';
import type { OpenApi } from '@uprez/contracts/docs/openapi/open-api';
import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { useEffect, useRef } from 'react';
import { codeMessages } from '../../ui/code/messages.ts';
import { makeFormRows } from './form-rows.ts';

type Configuration = Parameters<typeof createApiReference>[1];

/** `secret`: the secret of the API key for test requests. */
type ReferenceOptions = { isDark: boolean; secret: string | undefined };

/** The name of the security scheme in the API description. */
const scheme = 'apiKey';

/**
 * Loads the API description with console rows for its forms. Test requests are passed as a `Request` and returned
 * unchanged.
 */
const fetchDescription: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (input instanceof Request || !response.ok) return response;
  return Response.json(makeFormRows((await response.json()) as OpenApi));
};

/** Configures the console to call only this site. Proxy, web fonts, assistants, and telemetry are disabled. */
const makeConfiguration = ({ isDark, secret = '' }: ReferenceOptions): Configuration => ({
  url: v1Routes.v1OpenApi.path,
  customFetch: fetchDescription,
  // The console calls this site, regardless of the servers in the description.
  servers: [{ url: window.location.origin }],
  baseServerURL: window.location.origin,
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
  authentication: { preferredSecurityScheme: scheme, securitySchemes: { [scheme]: { token: secret } } },
  theme: 'none',
  layout: 'modern',
  documentDownloadType: 'none',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
});

/**
 * Adds Scalar's style sheet. Its rules apply to the whole document (`body`, custom properties), so it must be removed
 * with the reference.
 */
function addStyles(onReady: () => void, signal: AbortSignal): HTMLLinkElement {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = styles;
  link.addEventListener('load', onReady, { signal });
  document.head.prepend(link);
  return link;
}

/** Renders the API reference. Returns a function that removes it. */
function openReference(element: Element, look: ReferenceOptions): () => void {
  let close = () => {};
  const gone = new AbortController();
  const link = addStyles(() => {
    close = createApiReference(element, makeConfiguration(look)).destroy;
  }, gone.signal);
  return () => {
    close();
    gone.abort();
    link.remove();
    // Scalar sets its theme on the body.
    document.body.classList.remove('light-mode', 'dark-mode');
  };
}

/**
 * Names Scalar's copy buttons, which have no accessible name, and gives its mobile header another role, because it
 * duplicates the banner landmark of the site.
 */
function fixAccessibility(element: Element): void {
  for (const header of element.querySelectorAll('header:not([role])')) header.setAttribute('role', 'group');
  for (const button of element.querySelectorAll('button[class*="copy-button"]:not([aria-label])'))
    button.setAttribute('aria-label', codeMessages.copyCode);
}

export function Reference({ isDark, secret }: ReferenceOptions) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const container = place.current;
    if (!container) return;
    const observer = new MutationObserver(() => fixAccessibility(container));
    observer.observe(container, { childList: true, subtree: true });
    // Scalar removes the element that it was mounted on.
    const close = openReference(container.appendChild(document.createElement('div')), { isDark, secret });
    return () => {
      close();
      observer.disconnect();
    };
  }, [isDark, secret]);
  return <div ref={place} />;
}
