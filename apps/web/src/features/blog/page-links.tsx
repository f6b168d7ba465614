import { Link, useLocation } from 'react-router';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { blogMessages as text } from './messages.ts';

const linkStyle = buttonStyle({ look: 'secondary' });

/** Links to the pages before and after this one. */
export function PageLinks({ page, pages }: { page: number; pages: number }) {
  const { pathname } = useLocation();
  if (pages < 2) return null;
  const linkTo = (target: number) => (target === 1 ? pathname : `${pathname}?page=${target}`);
  return (
    <nav aria-label={text.pages} className="flex flex-wrap items-center justify-between gap-3">
      <span className="min-w-28">
        {page > 1 && (
          <Link to={linkTo(page - 1)} rel="prev" className={linkStyle}>
            {text.newer}
          </Link>
        )}
      </span>
      <span className="text-muted text-sm tabular-nums">{text.page(page, pages)}</span>
      <span className="min-w-28 text-right">
        {page < pages && (
          <Link to={linkTo(page + 1)} rel="next" className={linkStyle}>
            {text.older}
          </Link>
        )}
      </span>
    </nav>
  );
}
