import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { formatTime } from '../../../../lib/format/format.ts';
import { Notice, RetryNotice } from '../../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../../ui/feedback/query-view.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { useMay } from '../../frame/use-may.ts';
import { fileMessages as text } from '../messages.ts';
import { PlacesList } from '../places-list.tsx';
import { useMediaUses } from '../queries.ts';
import { useRetryFile } from '../use-media-mutations.ts';
import { FileFacts } from './file-facts.tsx';
import { FileForm } from './file-form.tsx';
import { FilePreview } from './file-preview.tsx';

function Uses({ id }: { id: string }) {
  const query = useMediaUses(id);
  return (
    <Card title={text.usedIn}>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-10" />}
        empty={<p className="text-muted text-sm">{text.notUsed}</p>}
      >
        {(places) => <PlacesList places={places} />}
      </QueryView>
    </Card>
  );
}

function FailedVersions({ id }: { id: string }) {
  const retry = useRetryFile(id);
  const mayManage = useMay('media.manage');
  if (!mayManage) return <Notice kind="warning">{text.versionsFailed}</Notice>;
  return (
    <RetryNotice pending={retry.isPending} onRetry={() => retry.mutate()}>
      {text.versionsFailed}
    </RetryNotice>
  );
}

/** A file: its preview, its texts, and where it is used. */
export const FileDetails = ({ file }: { file: MediaFile }) => (
  <>
    {file.deletedAt && <Notice kind="warning">{text.isDeleted(formatTime(file.deletedAt))}</Notice>}
    {file.state === 'failed' && !file.deletedAt && <FailedVersions id={file.id} />}
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <FilePreview file={file} />
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5">
        <FileForm key={file.id} file={file} />
        <FileFacts file={file} />
        <Uses id={file.id} />
      </div>
    </div>
  </>
);
