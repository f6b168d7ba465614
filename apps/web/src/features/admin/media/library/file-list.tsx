import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { mediaFilters, mediaKinds, mediaSorts } from '@uprez/contracts/policy/media';
import { type ColumnOf, tableColumns } from '@uprez/contracts/policy/tables';
import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { formatBytes } from '@uprez/contracts/texts/format';
import { LayoutGrid, List } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useSearchParam } from '../../../../lib/browser/use-search-param.ts';
import { Segmented } from '../../../../ui/controls/segmented.tsx';
import { adminApi } from '../../admin-api.ts';
import { mediaFilePath } from '../../frame/media-path.ts';
import { TimeCell } from '../../payments/cells.tsx';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { useTable } from '../../table/use-table.ts';
import { DeleteFileDialog } from '../delete-file-dialog.tsx';
import { FileBadges } from '../file-badges.tsx';
import { mediaMessages as text } from '../messages.ts';
import { refreshProcessing } from '../queries.ts';
import { FileActions } from './file-actions.tsx';
import { FileCards } from './file-cards.tsx';
import { NameCell } from './name-cell.tsx';
import { useBulkActions } from './use-bulk-actions.tsx';

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

/** The files of the library, as cards or as a table. */
export function FileList() {
  const navigate = useNavigate();
  const [view, setView] = useSearchParam({ name: 'view', choices: views, fallback: 'grid' });
  const [deleted, setDeleted] = useState<MediaFile>();
  const table = useTable({
    list: adminRoutes.adminListMedia,
    load: adminApi.adminListMedia,
    filters: { type: mediaKinds, status: mediaFilters },
    sorts: mediaSorts,
    columns: tableColumns.media,
    exports: adminRoutes.adminExportMedia,
    refresh: refreshProcessing,
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
        caption={text.caption}
        search={text.search}
        table={table}
        columns={columns}
        filterTexts={text.filters}
        filters={viewSwitch}
        empty={text.empty}
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
