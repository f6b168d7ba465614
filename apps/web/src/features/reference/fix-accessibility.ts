import { codeMessages } from '../../ui/code/messages.ts';

/** Scalar's copy buttons have no accessible name, and its mobile header duplicates the banner landmark of the site. */
function mend(element: Element): void {
  for (const header of element.querySelectorAll('header:not([role])')) header.setAttribute('role', 'group');
  for (const button of element.querySelectorAll('button[class*="copy-button"]:not([aria-label])'))
    button.setAttribute('aria-label', codeMessages.copyCode);
}

/** Fixes the accessibility of Scalar's output as it changes. Returns a function that stops it. */
export function fixAccessibility(element: Element): () => void {
  const observer = new MutationObserver(() => mend(element));
  observer.observe(element, { childList: true, subtree: true });
  return () => observer.disconnect();
}
