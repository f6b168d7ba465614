import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { EmptyState, NoActivityArt } from '../../../../ui/feedback/empty-state.tsx';
import { MoreButton, QueryView, Skeleton } from '../../../../ui/feedback/query-view.tsx';
import { pickerMessages as text } from '../messages.ts';
import { Thumbnail } from '../thumbnail.tsx';
import { useImages } from './use-images.ts';

type ImageChoicesProps = { search: string; onPick: (image: MediaFile) => void };

/** The images of the library as buttons. */
export function ImageChoices({ search, onPick }: ImageChoicesProps) {
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
