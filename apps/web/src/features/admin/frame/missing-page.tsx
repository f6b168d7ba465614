import { Link } from 'react-router';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import type { AdminPath } from './admin-links.ts';
import { AdminPage } from './admin-page.tsx';

type MissingPageProps = { text: { title: string; text: string; back: string }; list: AdminPath };

/** Shown instead of a page of something that doesn't exist, with a link to its list. */
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
