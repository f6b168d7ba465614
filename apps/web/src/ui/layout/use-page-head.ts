import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

const firstPath = globalThis.location?.pathname;
let hasNavigated = false;

/**
 * Sets the title and the meta description of the document in the existing tags. `description`: defaults to the page's
 * description, or else the site's. `part`: page number within a list. The server sends the first page with its
 * description, so the code that sets descriptions is loaded only after a navigation.
 */
export function usePageHead(title: string, description?: string, part?: number): void {
  const firstPart = useRef(part);
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    hasNavigated ||= pathname !== firstPath || part !== firstPart.current;
    if (!hasNavigated) return;
    // If the module can't be loaded, the description of the previous page remains.
    void import('./describe-page.ts').then(({ describePage }) => describePage(pathname, description)).catch(() => {});
  }, [pathname, description, part]);
}
