import { Link } from 'react-router';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import type { AdminPath } from './admin-links.ts';
import { AdminPage } from './admin-page.tsx';

type MissingPageProps = { text: { title: string; text: string; back: string }; list: AdminPath };

/** Shown if what a page is about doesn't exist, with a link to its list. */
export function MissingPage({ text, list }: MissingPageProps) {
  const back = (
    <Link to={list} className={buttonStyle({ look: 'secondary' })}>
      {text.back}
    </Link>
  );
  return (
    <AdminPage title={text.title} subtitle="">
      <EmptyState title={text.text} action={back} />
    </AdminPage>
  );
}
