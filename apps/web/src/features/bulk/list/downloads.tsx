import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { routeUrl } from '@uprez/client/route-url';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { defaultNaming, namingTokens } from '@uprez/contracts/policy/images/results';
import { limits } from '@uprez/contracts/policy/limits';
import { retention } from '@uprez/contracts/policy/plans/plans';
import { ChevronDown, Download } from 'lucide-react';
import { useMemo, useState } from 'react';
import { api } from '../../../lib/api/api.ts';
import { describeError } from '../../../lib/api/api-errors.ts';
import { useDebounced } from '../../../lib/browser/use-debounced.ts';
import { Button, buttonStyle, linkStyle } from '../../../ui/controls/button.tsx';
import { exactInput, TextField } from '../../../ui/controls/text-field.tsx';
import { Popover } from '../../../ui/overlays/menu.tsx';
import { bulkMessages as text } from '../messages.ts';
import type { BulkState } from '../state/bulk-store.ts';

const debounceMs = 300;

/**
 * Returns the file name that a naming pattern produces for the first finished image in the ZIP, or why the pattern is
 * invalid.
 */
function useExampleName(id: string | undefined, pattern: string) {
  const name = useDebounced(pattern, debounceMs);
  const { data, error } = useQuery({
    queryKey: [apiRoutes.createBatch.path, id, 'names', name],
    queryFn: async () => (await api.batchManifest({ params: { id: id ?? '' }, query: { name } })).data,
    enabled: id !== undefined,
    placeholderData: keepPreviousData,
  });
  return {
    example: data?.find(({ path }) => path !== null)?.path ?? undefined,
    error: error ? describeError(error) : undefined,
  };
}

type FileRoute = 'batchZip' | 'batchManifestCsv' | 'batchManifest';

const toFileUrl = (route: FileRoute, { id, query }: DownloadPart, pattern?: string) =>
  routeUrl(apiRoutes[route], { params: { id }, query: { ...(pattern !== undefined && { name: pattern }), ...query } });

type OptionsProps = { parts: readonly DownloadPart[]; pattern: string; onChange: (next: string) => void };

function Options({ parts, pattern, onChange }: OptionsProps) {
  const { example, error } = useExampleName(parts[0]?.id, pattern);
  return (
    <div className="grid gap-3">
      <TextField
        label={text.naming}
        value={pattern}
        onChange={(event) => onChange(event.target.value)}
        maxLength={limits.namePatternLength}
        {...exactInput}
        error={error}
        hint={
          <>
            {example && <span className="block text-ink wrap-anywhere">{text.example(example)}</span>}
            {`${text.tokens(namingTokens)} ${text.folders}`}
          </>
        }
      />
      <ul className="grid gap-1">
        {parts.map((part, index) => (
          <li key={part.id} className="flex flex-wrap items-center gap-1 text-sm">
            <span className="mr-1">{parts.length === 1 ? text.manifest : text.manifestPart(index + 1)}</span>
            <a href={toFileUrl('batchManifestCsv', part, pattern)} download className={linkStyle}>
              {text.csv}
            </a>
            <a href={toFileUrl('batchManifest', part, pattern)} download={`${part.id}.json`} className={linkStyle}>
              {text.json}
            </a>
          </li>
        ))}
      </ul>
      <p className="text-muted text-xs">{text.deleted(retention.resultMinutes / 60)}</p>
    </div>
  );
}

type DownloadsProps = Pick<BulkState, 'batches' | 'rows'> & {
  /** Whether all images have been processed. */
  isFinished: boolean;
};

export function Downloads({ batches, rows, isFinished }: DownloadsProps) {
  const parts = useMemo(() => listDownloadParts(rows, batches), [rows, batches]);
  const [pattern, setPattern] = useState<string>(defaultNaming);
  if (parts.length === 0) return null;
  const name = pattern === defaultNaming ? undefined : pattern;
  return (
    <>
      {parts.map((part, index) => (
        <a
          key={part.id}
          href={toFileUrl('batchZip', part, name)}
          download
          className={buttonStyle({ look: isFinished ? 'primary' : 'secondary' })}
        >
          <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />
          {parts.length === 1 ? text.zip(part.done) : text.zipPart(index + 1, part.done)}
        </a>
      ))}
      <Popover
        label={text.downloads}
        trigger={
          <Button look="ghost">
            <span className="max-sm:sr-only">{text.downloads}</span>
            <ChevronDown aria-hidden="true" strokeWidth={1.75} className="size-4" />
          </Button>
        }
      >
        <Options parts={parts} pattern={pattern} onChange={setPattern} />
      </Popover>
    </>
  );
}

/**
 * The results of one batch, which are downloaded together. `query.items`: item IDs. Set only if rows of the batch were
 * removed from the list.
 */
type DownloadPart = { id: string; done: number; query: { items?: string } };

/** Returns the downloads for the rows in the list, one for each batch, oldest first. */
export function listDownloadParts(rows: BulkState['rows'], batches: BulkState['batches']): DownloadPart[] {
  const listed = new Set(rows.flatMap(({ item }) => item?.itemId ?? []));
  return Object.values(batches)
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    .map(({ id, items }) => {
      const kept = items.filter((item) => listed.has(item.id));
      const query = kept.length < items.length ? { items: kept.map((item) => item.id).join(',') } : {};
      return { id, done: kept.filter(({ status }) => status === 'completed').length, query };
    })
    .filter(({ done }) => done > 0);
}
