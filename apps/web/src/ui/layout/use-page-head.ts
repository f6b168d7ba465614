import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

const firstPath = globalThis.location?.pathname;
let hasMoved = false;

/**
 * Sets the title and the description of the document, each in the tag that the page was served with. `description`: by
 * default that of the page, or else of the site. `part`: which part of a list is shown. The first page is served with its own, so the first load needs no code for it.
 */
export function usePageHead(title: string, description?: string, part?: number): void {
  const firstPart = useRef(part);
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    hasMoved ||= pathname !== firstPath || part !== firstPart.current;
    if (!hasMoved) return;
    // Without the file, the description stays that of another page.
    void import('./describe-page.ts').then(({ describePage }) => describePage(pathname, description)).catch(() => {});
  }, [pathname, description, part]);
}
