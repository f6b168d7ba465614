import { type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { formatBytes } from '@uprez/contracts/texts/format';
import { Copy, Eye, LayoutGrid, List, RotateCcw, Trash2, Upload } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useDropzone } from 'react-dropzone';
import { generatePath, Link, useNavigate } from 'react-router';
import { useSearchParam } from '../../../lib/browser/use-search-param.ts';
import { formatDateTime } from '../../../lib/format/format.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { useHasPermission } from '../frame/use-own-user.ts';
import { adminMessages } from '../messages.ts';
import { TimeCell } from '../payments/cells.tsx';
import { type BulkAction, runBulk } from '../table/bulk-bar.tsx';
import { DataTable } from '../table/data-table.tsx';
import { type Column, useTable } from '../table/use-table.ts';
import { copyFileUrl } from './copy-file-url.ts';
import { DeleteFileDialog } from './delete-file-dialog.tsx';
import { mediaMessages as text, uploadMessages as uploadText } from './messages.ts';
import { mediaKeys, processingRefetchInterval, useRestoreFile } from './queries.ts';
import { Thumbnail } from './thumbnail.tsx';
import { UploadForm } from './upload/upload-form.tsx';

const mediaFilePath = (id: string): string => generatePath(adminPages.mediaFile, { id });

const FileBadges = ({ file: { mimeType, state } }: { file: MediaFile }) => (
  <span className="flex flex-wrap gap-1">
    <Badge kind="neutral">{text.types[mimeType]}</Badge>
    {state === 'processing' && <Badge kind="info">{text.processing}</Badge>}
    {state === 'failed' && <Badge kind="danger">{text.failed}</Badge>}
  </span>
);

/** Files dropped anywhere on the page are offered for upload. */
export function MediaPage() {
  const mayManage = useHasPermission('media.manage');
  const [dropped, setDropped] = useState<readonly File[]>();
  const zone = useDropzone({
    ...{ noClick: true, noKeyboard: true, disabled: !mayManage || dropped !== undefined },
    onDrop: (accepted) => accepted.length > 0 && setDropped(accepted),
  });
  const upload = (
    <Button onClick={() => setDropped([])}>
      <Upload aria-hidden="true" strokeWidth={1.75} className="size-4" />
      {text.upload}
    </Button>
  );
  return (
    <div
      {...zone.getRootProps({ role: undefined, tabIndex: undefined })}
      className="relative grid min-h-96 content-start gap-5 grid-cols-[minmax(0,1fr)]"
    >
      <AdminPage title={text.title} subtitle={text.subtitle} actions={mayManage && upload}>
        <FileList />
      </AdminPage>
      {zone.isDragActive && (
        <div className="pointer-events-none absolute inset-0 z-20 grid place-content-center rounded-card border-2 border-accent border-dashed bg-page/90">
          <p className="font-medium">{uploadText.drop}</p>
        </div>
      )}
      {dropped && <UploadDialog files={dropped} onClose={() => setDropped(undefined)} />}
    </div>
  );
}

const NameCell = (file: MediaFile) => (
  <span className="flex min-w-0 items-center gap-3">
    <Thumbnail file={file} className="size-10 shrink-0" />
    <span className="grid min-w-0">
      <Link to={mediaFilePath(file.id)} className="font-medium hover:underline">
        {file.originalName}
      </Link>
      {file.deletedAt && <span className="text-muted text-xs">{text.deletedOn(formatDateTime(file.deletedAt))}</span>}
    </span>
  </span>
);

const { columns: names } = text;
const columns: Column<MediaFile, ColumnOf<'media'>>[] = [
  { id: 'file', name: names.file, cell: NameCell, sort: 'name' },
  { id: 'type', name: names.type, cell: (file) => <FileBadges file={file} /> },
  { id: 'size', name: names.size, cell: ({ fileSize }) => formatBytes(fileSize), sort: 'size', isNumeric: true },
  { id: 'uses', name: names.uses, cell: ({ uses }) => (uses > 0 ? text.uses(uses) : text.unused) },
  {
    id: 'uploader',
    name: names.uploader,
    cell: ({ uploadedBy }) => (uploadedBy ? uploadedBy.firstName || uploadedBy.email : text.noUploader),
  },
  { id: 'uploaded', name: names.uploaded, cell: ({ uploadedAt }) => <TimeCell at={uploadedAt} />, sort: 'uploaded' },
];

const views = ['grid', 'list'] as const;
const viewIcons = { grid: LayoutGrid, list: List } as const;
const viewOptions = views.map((value) => {
  const Icon = viewIcons[value];
  return { value, label: text.views[value], icon: <Icon aria-hidden="true" strokeWidth={1.75} className="size-4" /> };
});

function FileList() {
  const navigate = useNavigate();
  const [view, setView] = useSearchParam({ name: 'view', choices: views, fallback: 'grid' });
  const [deleted, setDeleted] = useState<MediaFile>();
  const table = useTable(tables.media, {
    load: adminApi.adminListMedia,
    refresh: processingRefetchInterval,
  });
  const isDeleted = table.filters.some(({ name, value }) => name === 'status' && value === 'deleted');
  const bulk = useBulkActions({ isDeleted });
  const actions = (file: MediaFile) => <FileActions file={file} onDelete={() => setDeleted(file)} />;
  const viewSwitch = (
    <Segmented legend={text.view} legendHidden options={viewOptions} value={view} onChange={setView} />
  );
  return (
    <>
      <DataTable
        text={text}
        table={table}
        columns={columns}
        filterTexts={text.filters}
        filters={viewSwitch}
        onOpen={({ id }) => void navigate(mediaFilePath(id))}
        actions={actions}
        bulk={bulk.actions}
        cards={view === 'grid' ? (files) => <FileCards files={files} actions={actions} /> : undefined}
      />
      {bulk.dialog}
      {deleted && <DeleteFileDialog file={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

function FileActions({ file, onDelete }: { file: MediaFile; onDelete: () => void }) {
  const navigate = useNavigate();
  const mayManage = useHasPermission('media.manage');
  const restore = useRestoreFile();
  const open = { label: text.open, icon: Eye, onSelect: () => void navigate(mediaFilePath(file.id)) };
  const copy = { label: text.copy, icon: Copy, onSelect: () => void copyFileUrl(file) };
  const change = file.deletedAt
    ? { label: text.restore, icon: RotateCcw, onSelect: () => restore.mutate(file.id) }
    : { label: text.delete, icon: Trash2, danger: true, onSelect: onDelete };
  const items = [open, ...(file.deletedAt ? [] : [copy]), ...(mayManage ? [change] : [])];
  return <ActionsMenu label={adminMessages.table.actions(file.originalName)} items={items} />;
}

type FileCardsProps = { files: readonly MediaFile[]; actions: (file: MediaFile) => ReactNode };

const FileCards = ({ files, actions }: FileCardsProps) => (
  <ul
    aria-label={text.caption}
    className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 xl:grid-cols-4 2xl:grid-cols-5"
  >
    {files.map((file) => (
      <li
        key={file.id}
        className="relative grid min-w-0 content-start overflow-hidden rounded-card border border-line bg-surface hover:border-edge"
      >
        <Thumbnail file={file} className="aspect-4/3 border-line border-b" />
        <div className="grid gap-1 p-3">
          <Link
            to={mediaFilePath(file.id)}
            title={file.originalName}
            className="truncate font-medium text-sm after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus focus-visible:after:-outline-offset-2"
          >
            {file.originalName}
          </Link>
          <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <span className="whitespace-nowrap text-muted text-xs tabular-nums">{formatBytes(file.fileSize)}</span>
            <FileBadges file={file} />
            <span className="relative z-1 -my-1 -mr-2 ml-auto">{actions(file)}</span>
          </div>
        </div>
      </li>
    ))}
  </ul>
);

type Files = readonly MediaFile[];
/** `finish`: ends the bulk action. Takes the files that stay selected. */
type Deletion = { files: Files; finish: (left: Files) => void };

function useBulkActions({ isDeleted }: { isDeleted: boolean }): {
  actions: readonly BulkAction<MediaFile>[];
  dialog: ReactNode;
} {
  const mayManage = useHasPermission('media.manage');
  const [asked, setAsked] = useState<Deletion>();
  const [isRunning, setRunning] = useState(false);
  const restore = (files: Files) =>
    runBulk(files, {
      call: ({ id }) => adminApi.adminRestoreMedia({ params: { id } }),
      done: text.bulkRestored,
      refreshes: mediaKeys,
    });
  const ask = (files: Files) =>
    new Promise<Files>((finish) => setAsked({ files, finish })).finally(() => setAsked(undefined));
  const remove = async ({ files, finish }: Deletion) => {
    setRunning(true);
    finish(
      await runBulk(files, {
        call: ({ id }) => adminApi.adminDeleteMedia({ params: { id } }),
        done: text.bulkDeleted,
        refreshes: mediaKeys,
      }),
    );
    setRunning(false);
  };
  const action = isDeleted
    ? { label: text.restore, icon: RotateCcw, run: restore }
    : { label: text.delete, icon: Trash2, run: ask };
  const dialog = asked && (
    <ConfirmDialog
      open
      onOpenChange={() => asked.finish(asked.files)}
      title={text.bulkDialog.title(asked.files.length)}
      text={text.bulkDialog.text}
      confirm={text.bulkDialog.confirm}
      pending={isRunning}
      onConfirm={() => void remove(asked)}
    />
  );
  return { actions: mayManage ? [action] : [], dialog };
}

type UploadDialogProps = { files: readonly File[]; onClose: () => void };

/** Closes once all files are stored. */
const UploadDialog = ({ files, onClose }: UploadDialogProps) => (
  <Dialog open onOpenChange={onClose} title={uploadText.title} description={uploadText.subtitle} wide>
    <UploadForm files={files} onStored={onClose} />
  </Dialog>
);
