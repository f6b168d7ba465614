import { useInfiniteQuery } from '@tanstack/react-query';
import { limits } from '@uprez/contracts/policy/limits';
import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { ArrowLeft, Upload } from 'lucide-react';
import { useState } from 'react';
import { useDebounced } from '../../../../lib/browser/use-debounced.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { TextField } from '../../../../ui/controls/text-field.tsx';
import { EmptyState, NoActivityArt } from '../../../../ui/feedback/empty-state.tsx';
import { MoreButton, QueryView, Skeleton } from '../../../../ui/feedback/query-view.tsx';
import { Dialog } from '../../../../ui/overlays/dialog.tsx';
import { adminApi } from '../../admin-api.ts';
import { useHasPermission } from '../../frame/use-own-user.ts';
import { readTablePage } from '../../table/paged-list.tsx';
import { pickerMessages as text } from '../messages.ts';
import { mediaKey } from '../queries.ts';
import { Thumbnail } from '../thumbnail.tsx';
import { UploadForm } from '../upload/upload-form.tsx';

type PickProps = { onPick: (image: MediaFile) => void };

export const MediaPicker = ({ onPick, onClose }: PickProps & { onClose: () => void }) => (
  <Dialog open onOpenChange={onClose} title={text.title} wide>
    <Library onPick={onPick} />
  </Dialog>
);

const debounceMs = 300;

function Library({ onPick }: PickProps) {
  const [search, setSearch] = useState('');
  const [isUploading, setUploading] = useState(false);
  const rested = useDebounced(search.trim(), debounceMs);
  const mayUpload = useHasPermission('media.manage');
  const finish = ([first, second]: readonly MediaFile[]) => {
    if (first && !second) onPick(first);
    else setUploading(false);
  };
  if (isUploading)
    return (
      <>
        <Button look="ghost" className="justify-self-start px-2" onClick={() => setUploading(false)}>
          <ArrowLeft aria-hidden="true" strokeWidth={1.75} className="size-4" />
          {text.library}
        </Button>
        <UploadForm kind="image" onStored={finish} />
      </>
    );
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <div className="min-w-48 flex-1">
          <TextField
            type="search"
            label={text.search}
            labelHidden
            placeholder={text.search}
            maxLength={limits.searchLength}
            autoComplete="off"
            spellCheck={false}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        {mayUpload && (
          <Button look="secondary" onClick={() => setUploading(true)}>
            <Upload aria-hidden="true" strokeWidth={1.75} className="size-4" />
            {text.upload}
          </Button>
        )}
      </div>
      <ImageChoices search={rested} onPick={onPick} />
    </>
  );
}

type ImageChoicesProps = { search: string; onPick: (image: MediaFile) => void };

function ImageChoices({ search, onPick }: ImageChoicesProps) {
  const query = useImages(search);
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton className="h-64 rounded-card" />}
      isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
      empty={<EmptyState {...(search ? text.noMatch : text.empty)} illustration={<NoActivityArt />} />}
    >
      {({ pages }) => (
        <>
          <ul aria-label={text.images} className="grid grid-cols-2 gap-3 sm:grid-cols-4">
            {pages
              .flatMap(({ rows }) => rows)
              .map((image) => (
                <li key={image.id} className="min-w-0">
                  <button
                    type="button"
                    title={image.originalName}
                    onClick={() => onPick(image)}
                    className="grid w-full min-w-0 gap-1 rounded-control border border-line p-1.5 text-left hover:border-ink"
                  >
                    <Thumbnail file={image} className="aspect-4/3 w-full" />
                    <span className="truncate text-xs">{image.originalName}</span>
                  </button>
                </li>
              ))}
          </ul>
          <MoreButton query={query} />
        </>
      )}
    </QueryView>
  );
}

const pageSize = 24;

const useImages = (search: string) =>
  useInfiniteQuery({
    queryKey: [...mediaKey, 'picker', search],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { type: 'image', search: search || undefined, cursor, limit: pageSize } as const;
      return readTablePage(await adminApi.adminListMedia({ query, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  });
