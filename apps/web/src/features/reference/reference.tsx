import styles from '@scalar/api-reference/style.css?url';
import './scalar.css';
import { createApiReference } from '@scalar/api-reference';
import type { OpenApiDocument } from '@uprez/contracts/docs/openapi/open-api';
import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { useEffect, useRef } from 'react';
import { codeMessages } from '../../ui/code/messages.ts';
import { makeFormRows } from './form-rows.ts';

type Configuration = Parameters<typeof createApiReference>[1];

/** `secret`: the API key that test requests use. */
type ReferenceOptions = { isDark: boolean; secret: string | undefined };

/** Name of the security scheme in the API description. */
const scheme = 'apiKey';

/**
 * Loads the API description, and adds console rows for its forms. Scalar also calls this function for test requests,
 * but passes a `Request`. Their responses are returned unchanged.
 */
const fetchDescription: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (input instanceof Request || !response.ok) return response;
  return Response.json(makeFormRows((await response.json()) as OpenApiDocument));
};

/** Configures the console to call only this site. The proxy, web fonts, assistants, and telemetry are disabled. */
const makeConfiguration = ({ isDark, secret = '' }: ReferenceOptions): Configuration => ({
  url: v1Routes.v1OpenApi.path,
  customFetch: fetchDescription,
  // The console calls this site, not the servers in the API description.
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
 * Adds Scalar's style sheet. It must be removed together with the reference, because its rules apply to the whole
 * document (`body`, custom properties).
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
    // Scalar sets its theme as a class on `body`, outside the element that it renders into.
    document.body.classList.remove('light-mode', 'dark-mode');
  };
}

/**
 * Labels Scalar's copy buttons, which have no accessible name. Also changes the role of its mobile header, because a
 * page must have only one banner landmark.
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
    // Mounts in a new child, because Scalar removes the element that it was mounted on.
    const close = openReference(container.appendChild(document.createElement('div')), { isDark, secret });
    return () => {
      close();
      observer.disconnect();
    };
  }, [isDark, secret]);
  return <div ref={place} />;
}
