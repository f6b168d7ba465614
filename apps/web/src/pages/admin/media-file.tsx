import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { Link, useParams } from 'react-router';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { FilePageActions } from '../../features/admin/media/details/file-actions.tsx';
import { FileDetails } from '../../features/admin/media/details/file-details.tsx';
import { fileMessages as text } from '../../features/admin/media/messages.ts';
import { useMediaFile } from '../../features/admin/media/queries.ts';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';

/** A file of the media library. */
export function MediaFilePage() {
  const { id = '' } = useParams();
  const query = useMediaFile(id);
  const mayManage = useMay('media.manage');
  const back = (
    <Link to={adminPages.media} className={buttonStyle({ look: 'secondary' })}>
      {text.back}
    </Link>
  );
  if (hasErrorCode(query.error, 'media_not_found'))
    return (
      <AdminPage title={text.notFound.title} subtitle="">
        <EmptyState title={text.notFound.text} action={back} />
      </AdminPage>
    );
  const file = query.data;
  return (
    <AdminPage
      title={file?.originalName ?? text.loading}
      subtitle={text.subtitle}
      actions={
        <div className="flex flex-wrap gap-2">
          {back}
          {file && mayManage && <FilePageActions file={file} />}
        </div>
      }
    >
      <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />}>
        {(found) => <FileDetails file={found} />}
      </QueryView>
    </AdminPage>
  );
}
