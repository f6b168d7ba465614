import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import './article.css';

/** `html`: rendered and sanitized by the server. */
export function ArticleHtml({ html }: { html: string }) {
  const element = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  useEffect(() => {
    const article = element.current;
    const open = (event: MouseEvent) => {
      const path = findOwnPath(event);
      if (path === undefined) return;
      event.preventDefault();
      void navigate(path);
    };
    article?.addEventListener('click', open);
    return () => article?.removeEventListener('click', open);
  }, [navigate]);
  useEffect(() => (element.current ? makeScrollable(element.current) : undefined), [html]);
  // Safe to insert: the server renders it from Markdown, with an allowlist of elements, attributes, and URL schemes.
  return <div ref={element} className="article" dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Returns undefined for clicks that the browser should handle, such as on files or anchors on the current page. */
function findOwnPath(event: MouseEvent): string | undefined {
  const { target, button, altKey, ctrlKey, metaKey, shiftKey, defaultPrevented } = event;
  if (defaultPrevented || button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return;
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  if (!link || link.target === '_blank' || link.hasAttribute('download')) return;
  const { origin, pathname, search, hash } = link;
  const { location } = window;
  if (origin !== location.origin || /^\/(?:api|media)\/|\.[a-z0-9]+$/i.test(pathname)) return;
  if (hash && pathname === location.pathname && search === location.search) return;
  return pathname + search + hash;
}

/** Makes code and tables that are wider than the article scrollable with the keyboard. Returns a cleanup function. */
function makeScrollable(article: HTMLElement): () => void {
  const update = () => {
    for (const part of article.querySelectorAll<HTMLElement>('pre, table'))
      if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
      else part.removeAttribute('tabindex');
  };
  const sizes = new ResizeObserver(update);
  sizes.observe(article);
  return () => sizes.disconnect();
}
