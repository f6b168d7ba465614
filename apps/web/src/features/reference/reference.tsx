import { routes } from '@uprez/contracts/endpoints/routes';
import { useEffect, useRef } from 'react';
import { codeMessages } from '../../ui/code/messages.ts';
import { openReference } from './open-reference.ts';

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
