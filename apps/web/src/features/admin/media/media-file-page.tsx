import { mediaLimits } from '@uprez/contracts/policy/media';
import { type MediaFile, updateMediaBodySchema } from '@uprez/contracts/schemas/content/media';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { formatBytes } from '@uprez/contracts/texts/format';
import { mediaPath } from '@uprez/contracts/texts/media';
import { ExternalLink } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { formatSize, formatTime } from '../../../lib/format/format.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { CopyBlock } from '../../../ui/code/copy-block.tsx';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { TextArea, TextField } from '../../../ui/controls/text-field.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Notice, RetryNotice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { FactGrid } from '../../../ui/layout/fact-grid.tsx';
import { AdminPage } from '../frame/admin-page.tsx';
import { useMay } from '../frame/use-may.ts';
import { fileUrl } from './copy-file-url.ts';
import { FilePageActions } from './details/file-actions.tsx';
import { mediaMessages, fileMessages as text } from './messages.ts';
import { PlacesList } from './places-list.tsx';
import { useMediaFile, useMediaUses } from './queries.ts';
import { Thumbnail } from './thumbnail.tsx';
import { useRetryFile, useUpdateFile } from './use-media-mutations.ts';

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
const FileDetails = ({ file }: { file: MediaFile }) => (
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

/** The image, or an icon for a document, and a link to the original. */
const FilePreview = ({ file }: { file: MediaFile }) => {
  const { kind, url, alt, width, height, deletedAt } = file;
  const isShown = kind === 'image' && !deletedAt;
  return (
    <Card
      title={text.preview}
      actions={
        !deletedAt && (
          <a href={url} target="_blank" rel="noopener" className={buttonStyle({ look: 'secondary', size: 'small' })}>
            <ExternalLink aria-hidden="true" strokeWidth={1.75} className="size-3.5" />
            {text.openOriginal}
          </a>
        )
      }
    >
      {isShown ? (
        <img
          key={url}
          src={url}
          alt={alt}
          {...(width && height && { width, height })}
          className="h-auto max-h-[70dvh] w-auto max-w-full justify-self-center bg-sunken object-contain"
        />
      ) : (
        <Thumbnail file={file} className="aspect-4/3 max-h-60" />
      )}
      {kind === 'document' && <p className="text-muted text-sm">{text.noPreview}</p>}
    </Card>
  );
};

/** How Markdown shows an image of the library. */
const markdownOf = ({ id, alt }: MediaFile) => `![${alt.replace(/[\\[\]]/g, '\\$&')}](${mediaPath(id)})`;

/** Type, size, and upload of a file, and its URL. */
function FileFacts({ file }: { file: MediaFile }) {
  const { kind, mimeType, fileSize, width, height, version, uploadedAt, uploadedBy, deletedAt } = file;
  const uploader = uploadedBy ? uploadedBy.firstName || uploadedBy.email : mediaMessages.noUploader;
  return (
    <Card>
      <FactGrid
        facts={[
          [text.type, mediaMessages.types[mimeType]],
          [text.size, formatBytes(fileSize)],
          ...(width && height ? ([[text.dimensions, formatSize({ width, height })]] as const) : []),
          [text.version, version],
          [text.uploaded, formatTime(uploadedAt)],
          [text.uploadedBy, uploader],
        ]}
      />
      {!deletedAt && (
        <>
          <div className="grid gap-1.5">
            <p className="font-medium text-sm">{text.address}</p>
            <CopyBlock code={fileUrl(file)} label={text.copyUrl} />
          </div>
          {kind === 'image' && (
            <div className="grid gap-1.5">
              <p className="font-medium text-sm">{text.markdown}</p>
              <CopyBlock code={markdownOf(file)} label={text.copyMarkdown} />
            </div>
          )}
        </>
      )}
    </Card>
  );
}

const schema = updateMediaBodySchema.required();

/** The name and the alt text of a file. */
function FileForm({ file: { id, kind, originalName, alt, deletedAt } }: { file: MediaFile }) {
  const isLocked = !useMay('media.manage') || deletedAt !== null;
  const update = useUpdateFile(id);
  const form = useApiForm({
    schema,
    defaultValues: { originalName, alt },
    send: async (values) => {
      const saved = await update.mutateAsync(values);
      form.reset({ originalName: saved.originalName, alt: saved.alt });
      showToast({ title: mediaMessages.success, description: text.saved });
    },
  });
  return (
    <Card title={text.details}>
      <form onSubmit={form.submit}>
        <fieldset disabled={isLocked} className="grid min-w-0 gap-4">
          <TextField
            label={text.name}
            {...form.field('originalName')}
            maxLength={mediaLimits.nameLength}
            autoComplete="off"
            spellCheck={false}
          />
          {kind === 'image' && (
            <TextArea
              label={text.alt}
              hint={text.altHint}
              {...form.field('alt')}
              maxLength={mediaLimits.altLength}
              rows={3}
            />
          )}
          {form.error && <Notice kind="danger">{form.error}</Notice>}
          {!isLocked && (
            <Button
              type="submit"
              look="secondary"
              className="justify-self-start"
              pending={form.isSubmitting}
              pendingText={text.saving}
            >
              {text.save}
            </Button>
          )}
        </fieldset>
      </form>
    </Card>
  );
}
