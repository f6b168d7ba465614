import { Link } from 'react-router';
import { messages } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { buttonStyle } from '../controls/button.tsx';
import { LogoMark } from '../layout/logo-mark.tsx';
import { PageHeading } from '../layout/page-heading.tsx';

const text = messages.notFound;

const homeLink = { to: paths.home, label: text.home };

export function NotFoundPage({ home = homeLink }: { home?: { to: string; label: string } }) {
  return (
    <div className="grid grow place-content-center justify-items-center gap-3 px-6 py-24 text-center">
      <LogoMark className="size-10 text-muted" />
      <PageHeading title={messages.page.notFound} className="text-xl">
        {text.title}
      </PageHeading>
      <p className="max-w-sm text-muted">{import.meta.env.DEV ? text.hint : text.text}</p>
      <Link to={home.to} className={buttonStyle({ className: 'mt-3' })}>
        {home.label}
      </Link>
    </div>
  );
}
