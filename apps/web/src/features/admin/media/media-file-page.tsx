import { mediaLimits, mediaPath } from '@uprez/contracts/policy/images/media';
import { type MediaFile, updateMediaBodySchema } from '@uprez/contracts/schemas/content/media';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { formatBytes } from '@uprez/contracts/texts/format';
import { ExternalLink, Replace, RotateCcw, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { describeError, hasErrorCode, ShownError } from '../../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { formatDateTime, formatSize } from '../../../lib/format/format.ts';
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
import { useHasPermission } from '../frame/use-own-user.ts';
import { fileUrl } from './copy-file-url.ts';
import { DeleteFileDialog, PlacesList } from './delete-file-dialog.tsx';
import {
  fileMessages as fileText,
  mediaMessages,
  mediaMessages as mediaText,
  fileMessages as text,
  uploadMessages,
} from './messages.ts';
import { mediaKeys, useMediaFile, useMediaUses, useRestoreFile, useRetryFile, useUpdateFile } from './queries.ts';
import { Thumbnail } from './thumbnail.tsx';
import { acceptedTypes, findRejectionReason, sendReplacement } from './upload/send-file.ts';

export function MediaFilePage() {
  const { id = '' } = useParams();
  const query = useMediaFile(id);
  const mayManage = useHasPermission('media.manage');
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
  const mayManage = useHasPermission('media.manage');
  if (!mayManage) return <Notice kind="warning">{text.versionsFailed}</Notice>;
  return (
    <RetryNotice pending={retry.isPending} onRetry={() => retry.mutate()}>
      {text.versionsFailed}
    </RetryNotice>
  );
}

const FileDetails = ({ file }: { file: MediaFile }) => (
  <>
    {file.deletedAt && <Notice kind="warning">{text.isDeleted(formatDateTime(file.deletedAt))}</Notice>}
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

const markdownOf = ({ id, alt }: MediaFile) => `![${alt.replace(/[\\[\]]/g, '\\$&')}](${mediaPath(id)})`;

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
          [text.uploaded, formatDateTime(uploadedAt)],
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

function FileForm({ file: { id, kind, originalName, alt, deletedAt } }: { file: MediaFile }) {
  const isLocked = !useHasPermission('media.manage') || deletedAt !== null;
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

function FilePageActions({ file }: { file: MediaFile }) {
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const restore = useRestoreFile();
  if (file.deletedAt)
    return (
      <Button look="secondary" pending={restore.isPending} onClick={() => restore.mutate(file.id)}>
        <RotateCcw aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {mediaText.restore}
      </Button>
    );
  return (
    <>
      <ReplaceButton file={file} />
      <Button look="danger" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {mediaText.delete}
      </Button>
      {isAsking && (
        <DeleteFileDialog
          file={file}
          onClose={() => setAsking(false)}
          onDeleted={() => void navigate(adminPages.media)}
        />
      )}
    </>
  );
}

/** The file's URL doesn't change. */
function ReplaceButton({ file: { id, kind } }: { file: MediaFile }) {
  const input = useRef<HTMLInputElement>(null);
  const [percent, setPercent] = useState(0);
  const replace = useResourceMutation({
    call: (chosen: File) => {
      const reason = findRejectionReason(chosen, kind === 'image' ? 'image' : 'all');
      if (reason) throw new ShownError(reason);
      return sendReplacement(id, chosen, { signal: new AbortController().signal, onPercent: setPercent });
    },
    invalidates: mediaKeys,
    onError: (error) =>
      showToast({
        title: mediaText.failure,
        description: `${uploadMessages.failed}. ${describeError(error)}`,
        destructive: true,
      }),
    onSuccess: () => showToast({ title: mediaText.success, description: fileText.replaced }),
  });
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={kind === 'image' ? acceptedTypes.image : acceptedTypes.all}
        aria-label={fileText.replace}
        className="hidden"
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          target.value = '';
          if (chosen) replace.mutate(chosen);
        }}
      />
      <Button
        look="secondary"
        title={fileText.replaceHint}
        pending={replace.isPending}
        pendingText={percent > 0 && percent < 100 ? uploadMessages.percent(percent) : uploadMessages.pending}
        onClick={() => input.current?.click()}
      >
        <Replace aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {fileText.replace}
      </Button>
    </>
  );
}
