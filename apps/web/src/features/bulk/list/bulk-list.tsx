import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { defaultFormat, formatNames, type OutputFormat } from '@uprez/contracts/policy/images/image-formats';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { formatBytes, formatPercent } from '@uprez/contracts/texts/format';
import { scaleSize } from '@uprez/imaging/pipeline/compute-target-size';
import { CircleStop, Download, Maximize2, RotateCcw, SlidersHorizontal, X } from 'lucide-react';
import { lazy, memo, type ReactNode, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { formatSize } from '../../../lib/format/format.ts';
import { isResultDisplayable } from '../../../lib/images/image-size.ts';
import { Button, buttonStyle, IconButton } from '../../../ui/controls/button.tsx';
import { Tooltip } from '../../../ui/controls/tooltip.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { ProgressTrack } from '../../../ui/feedback/progress-bar.tsx';
import { Popover } from '../../../ui/overlays/menu.tsx';
import { recipeMessages } from '../../../ui/recipe/messages.ts';
import { FactorField, FormatField, LinkButton } from '../../../ui/recipe/recipe-fields.tsx';
import { limitSettings, type RecipeSettings } from '../../../ui/recipe/recipe-settings.ts';
import { bulkMessages as text } from '../messages.ts';
import { cancelRow, makeRepairedRow, removeRow } from '../run/change-list.ts';
import { rowSettingsOf } from '../state/bulk-settings.ts';
import { changeRow } from '../state/bulk-store.ts';
import { canCancel, canRemove, canRetry, isFileMissing, type Row } from '../state/row.ts';
import { formatOfRow, isLargerFile } from '../state/row-format.ts';
import type { HoldReason } from '../state/split-run.ts';
import type { FinishedRow } from './result-dialog.tsx';
import { Thumbnail } from './thumbnail.tsx';
import { useConfirmedCancel } from './use-confirmed-cancel.tsx';

/** Lists with more rows than this are virtualized. */
const maxPlainRows = 50;

type BulkListProps = {
  rows: readonly Row[];
  settings: RecipeSettings;
  ownPlan: Plan;
  holds: ReadonlyMap<string, HoldReason>;
  /** Maps the ID of each row that repeats an earlier row to that earlier row. Repeated rows are free. */
  repeats: ReadonlyMap<string, Row>;
  busy: boolean;
  onRun: (rows: readonly Row[]) => void;
};

export function BulkList(props: BulkListProps) {
  return props.rows.length > maxPlainRows ? <VirtualList {...props} /> : <PlainList {...props} />;
}

const rowHeightPx = 64;

const rowStyle = 'border-line border-b last:border-b-0';

function PlainList({ rows, holds, repeats, ...rest }: BulkListProps) {
  return (
    <ul aria-label={text.list}>
      {rows.map((row) => (
        <li key={row.id} className={rowStyle}>
          <BulkRow row={row} hold={holds.get(row.id)} repeatOf={repeats.get(row.id)?.name} {...rest} />
        </li>
      ))}
    </ul>
  );
}

function VirtualList({ rows, holds, repeats, ...rest }: BulkListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  // Measures after every render, because content above the list may have changed its height.
  useLayoutEffect(() => {
    const top = list.current ? list.current.getBoundingClientRect().top + window.scrollY : 0;
    setScrollMargin((before) => (Math.abs(before - top) < 1 ? before : top));
  });
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeightPx,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 6,
    scrollMargin,
  });
  return (
    <ul ref={list} aria-label={text.list} className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ key, index, start }) => {
        const row = rows[index];
        return (
          row && (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              className="absolute inset-x-0 top-0 border-line border-b"
              style={{ transform: `translateY(${start - scrollMargin}px)` }}
            >
              <BulkRow row={row} hold={holds.get(row.id)} repeatOf={repeats.get(row.id)?.name} {...rest} />
            </li>
          )
        );
      })}
    </ul>
  );
}

/** Moves the focus to the same button of the next or previous row before a row is removed. */
function moveFocus(button: HTMLElement) {
  const row = button.closest('li');
  const neighbor = row?.nextElementSibling ?? row?.previousElementSibling;
  [...(neighbor?.querySelectorAll('button') ?? [])].at(-1)?.focus({ preventScroll: true });
}

type RowActionsProps = Pick<BulkRowProps, 'row' | 'settings' | 'ownPlan' | 'busy' | 'onRun'>;

function RowActions({ row, settings, ownPlan, busy, onRun }: RowActionsProps) {
  const { name, downloadUrl, status } = row;
  const cancellation = useConfirmedCancel([row], () => void cancelRow(row));
  return (
    <div className="flex shrink-0 justify-end gap-0.5 sm:w-[4.75rem] sm:pointer-coarse:w-[5.75rem]">
      {status === 'completed' && downloadUrl && (
        <Tooltip text={text.download(name)}>
          <a
            href={downloadUrl}
            download
            aria-label={text.download(name)}
            className={buttonStyle({ look: 'ghost', size: 'icon' })}
          >
            <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />
          </a>
        </Tooltip>
      )}
      {status === 'pending' && !busy && <RowOptions row={row} settings={settings} ownPlan={ownPlan} />}
      {canRetry(row, busy) && <IconButton label={text.retry(name)} icon={RotateCcw} onClick={() => onRun([row])} />}
      {canCancel(row) ? (
        <IconButton label={text.cancel(name)} icon={CircleStop} onClick={cancellation.start} />
      ) : (
        <IconButton
          label={text.remove(name)}
          icon={X}
          disabled={!canRemove(row)}
          onClick={({ currentTarget }) => {
            moveFocus(currentTarget);
            removeRow(row);
          }}
        />
      )}
      {cancellation.dialog}
    </div>
  );
}

/** Statuses that aren't listed are neutral. */
const kinds: Partial<Record<Row['status'], 'success' | 'danger' | 'warning'>> = {
  completed: 'success',
  failed: 'danger',
  cancelled: 'warning',
  rejected: 'danger',
};

type HeldRow = { row: Row; hold: HoldReason | undefined };

function Chip({ row, hold }: HeldRow) {
  if (isFileMissing(row)) return <Badge kind="warning">{text.fileNeeded}</Badge>;
  if (hold && row.status === 'pending') return <Badge kind="warning">{text.holds[hold]}</Badge>;
  return <Badge kind={kinds[row.status] ?? 'neutral'}>{text.statuses[row.status]}</Badge>;
}

function RowStatus({ row, hold }: HeldRow) {
  const { name, status, sent, progress } = row;
  const moves = status === 'uploading' || status === 'queued' || status === 'processing';
  const percent = status === 'uploading' ? sent : progress;
  return (
    <div className="grid content-center gap-1.5">
      <div className="flex items-center justify-between gap-1">
        <Chip row={row} hold={hold} />
        {moves && status !== 'queued' && (
          <span aria-hidden="true" className="text-muted text-xs tabular-nums">
            {formatPercent(percent)}
          </span>
        )}
      </div>
      {moves && (
        <ProgressTrack
          label={text.progressOf(name)}
          valueText={`${text.statuses[status]}, ${formatPercent(percent)}`}
          percent={percent}
          className="h-1"
        />
      )}
    </div>
  );
}

/**
 * Describes a row's image and its actual or expected result: dimensions, file sizes, and format. `format`: output
 * format, if known.
 */
export function listRowFacts(row: Row, factor: number, format?: OutputFormat): string[] {
  const { size, imageSize, result, isInvalid, status } = row;
  const made = format ? [text.targetFormat(formatNames[format])] : [];
  if (!imageSize || status === 'rejected') return [formatBytes(size)];
  const before = `${formatBytes(size)} · ${formatSize(imageSize)}`;
  if (isInvalid) return [before];
  if (!result) return [before, text.target(formatSize(scaleSize(imageSize, factor))), ...made];
  return [before, text.target(`${formatSize(result)} · ${formatBytes(result.fileSize)}`), ...made];
}

function RowFacts({ row, settings }: { row: Row; settings: RecipeSettings }) {
  const { options } = row;
  const chosen = rowSettingsOf(settings, row);
  const { scaleFactor, format } = chosen;
  const own = options && !row.result ? [text.ownOptions(scaleFactor, recipeMessages.formatName(format))] : [];
  return [...listRowFacts(row, scaleFactor, formatOfRow(row, chosen)), ...own]
    .flatMap((part) => part.split(/(?<=·) /))
    .map((part, index) => (
      <span key={index}>
        {index > 0 && ' '}
        <span className="whitespace-nowrap">{part}</span>
      </span>
    ));
}

const visibleSuffixLength = 10;

/** A file name that is truncated in the middle, which keeps its extension visible. */
function TruncatedName({ name, path }: { name: string; path: string }) {
  const letters = [...name];
  const cut = Math.max(0, letters.length - visibleSuffixLength);
  return (
    <p className="verbatim flex min-w-0 font-medium text-sm" title={path}>
      <span className="sr-only">{path}</span>
      <span aria-hidden="true" className="truncate whitespace-pre">
        {letters.slice(0, cut).join('')}
      </span>
      <span aria-hidden="true" className="shrink-0 whitespace-pre">
        {letters.slice(cut).join('')}
      </span>
    </p>
  );
}

/** Says that a result is larger than the original. Offers to process the original again if the browser still has it. */
function LargerNote({ row, busy, onRun }: Pick<BulkRowProps, 'row' | 'busy' | 'onRun'>) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-warning text-xs">
      {text.larger}
      {row.file && !busy && <LinkButton onClick={() => onRun([makeRepairedRow(row)])}>{text.repair}</LinkButton>}
    </p>
  );
}

type BulkRowProps = {
  row: Row;
  /** Settings that apply to all images. */
  settings: RecipeSettings;
  ownPlan: Plan;
  /** Why the row isn't part of the next run. Undefined if it is. */
  hold: HoldReason | undefined;
  /** Name of an earlier row with the same image. That row runs first, so this one is free. */
  repeatOf: string | undefined;
  busy: boolean;
  onRun: (rows: readonly Row[]) => void;
};

const BulkRow = memo(function BulkRow(props: BulkRowProps) {
  const { row, settings, ownPlan, hold, repeatOf, busy, onRun } = props;
  const repeats = repeatOf === undefined ? undefined : text.repeats(repeatOf);
  const folder = row.relativePath.slice(0, -row.name.length);
  return (
    <div className="grid min-h-16 grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1.5 px-3 py-2 sm:grid-cols-[auto_minmax(0,1fr)_7rem_auto] sm:px-4">
      <ResultButton row={row}>
        <Thumbnail row={row} />
      </ResultButton>
      <div className="grid min-w-0 gap-0.5">
        <TruncatedName name={row.name} path={row.relativePath} />
        <p className="text-muted text-xs tabular-nums wrap-anywhere">
          {folder && `${folder} · `}
          <RowFacts row={row} settings={settings} />
        </p>
        {row.error && <p className="text-danger text-xs wrap-anywhere">{row.error}</p>}
        {(row.note ?? repeats) && <p className="text-muted text-xs wrap-anywhere">{row.note ?? repeats}</p>}
        {isLargerFile(row) && <LargerNote row={row} busy={busy} onRun={onRun} />}
      </div>
      <div className="max-sm:col-span-2 max-sm:col-start-2 max-sm:row-start-2">
        <RowStatus row={row} hold={hold} />
      </div>
      <RowActions row={row} settings={settings} ownPlan={ownPlan} busy={busy} onRun={onRun} />
    </div>
  );
});

const ResultDialog = lazy(async () => ({ default: (await import('./result-dialog.tsx')).ResultDialog }));

const canShow = (row: Row): row is FinishedRow =>
  row.status === 'completed' &&
  row.downloadUrl !== undefined &&
  row.result !== undefined &&
  isResultDisplayable(row.format ?? defaultFormat, row.result);

function ResultButton({ row, children }: { row: Row; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  if (!canShow(row)) return children;
  return (
    <>
      <Tooltip text={text.preview(row.name)}>
        <button
          type="button"
          aria-label={text.preview(row.name)}
          onClick={() => setOpen(true)}
          className="group relative rounded-small"
        >
          {children}
          <span className="absolute right-0 bottom-0 grid size-4 place-items-center rounded-tl-small bg-surface text-ink opacity-80 group-hover:opacity-100 group-focus-visible:opacity-100">
            <Maximize2 aria-hidden="true" strokeWidth={2} className="size-2.5" />
          </span>
        </button>
      </Tooltip>
      <Suspense>{isOpen && <ResultDialog row={row} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

type RowOptionsProps = { row: Row; settings: RecipeSettings; ownPlan: Plan };

function RowOptions({ row: { id, name, options, imageSize }, settings, ownPlan }: RowOptionsProps) {
  const field = {
    settings: limitSettings(rowSettingsOf(settings, { options }), { ownPlan }),
    ownPlan,
    onChange: (change: Partial<RecipeSettings>) =>
      changeRow(id, (row) => ({ ...row, options: { ...row.options, ...change } })),
  };
  const trigger = (
    <Button look="ghost" size="icon" aria-label={text.rowOptions(name)}>
      <SlidersHorizontal aria-hidden="true" strokeWidth={1.75} className={options ? 'size-4 text-accent' : 'size-4'} />
    </Button>
  );
  return (
    <Popover label={text.rowOptions(name)} trigger={trigger}>
      <div className="grid gap-4">
        <FactorField {...field} size={imageSize} signedIn />
        <FormatField {...field} />
        <Button
          look="secondary"
          size="small"
          className="justify-self-start"
          disabled={!options}
          onClick={() => changeRow(id, (row) => ({ ...row, options: undefined }))}
        >
          {text.resetRowOptions}
        </Button>
      </div>
    </Popover>
  );
}
