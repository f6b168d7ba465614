import { useEffect, useRef } from 'react';
import './article.css';

/** The text of an article. `html`: rendered and sanitized by the server. */
export function ArticleHtml({ html }: { html: string }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => (element.current ? makeScrollable(element.current) : undefined), [html]);
  // Safe to insert: the server renders it from Markdown, with an allowlist of elements, attributes, and URL schemes.
  return <div ref={element} className="article" dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Lets the keyboard scroll code and tables that are wider than the text. Returns a function that stops it. */
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
