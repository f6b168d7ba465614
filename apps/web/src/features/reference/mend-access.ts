import { codeMessages } from '../../ui/code/messages.ts';

/** Scalar leaves buttons without a name, and takes its header on small screens for that of the site. */
function mend(element: Element): void {
  for (const header of element.querySelectorAll('header:not([role])')) header.setAttribute('role', 'group');
  for (const button of element.querySelectorAll('button[class*="copy-button"]:not([aria-label])'))
    button.setAttribute('aria-label', codeMessages.copyCode);
}

/** Keep what Scalar draws usable by those who hear it, as it comes and changes. The returned function ends that. */
export function mendAccess(element: Element): () => void {
  const observer = new MutationObserver(() => mend(element));
  observer.observe(element, { childList: true, subtree: true });
  return () => observer.disconnect();
}
