import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { lazy, Suspense, useState } from 'react';
import { hasErrorCode } from '../../../../lib/api/api-errors.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { useMediaFile } from '../../media/queries.ts';
import type { Draft } from './draft.ts';
import { editorMessages } from './messages.ts';
import { useDraftState } from './use-draft.ts';

const text = editorMessages.details;
const MediaPicker = lazy(async () => ({
  default: (await import('../../media/picker/media-picker.tsx')).MediaPicker,
}));

function ChosenImage({ id }: { id: string }) {
  const { data: image, error } = useMediaFile(id);
  if (hasErrorCode(error, 'media_not_found')) return <p className="text-danger text-sm">{text.missingImage}</p>;
  return (
    <div className="grid gap-1">
      <div className="aspect-video overflow-hidden rounded-control border border-line bg-sunken">
        {image && <img src={image.thumbnailUrl ?? image.url} alt={image.alt} className="size-full object-contain" />}
      </div>
      <span className="min-h-4 truncate text-muted text-xs">{image?.originalName}</span>
    </div>
  );
}

/** The image of the post for lists and shared links: one of the library, or none. */
export function FeaturedImageField({ draft }: { draft: Draft }) {
  const id = useDraftState(draft, ({ fields }) => fields.featuredMediaId);
  const error = useDraftState(draft, ({ errors }) => errors.featuredMediaId);
  const [isPicking, setPicking] = useState(false);
  const pick = (image: MediaFile) => {
    setPicking(false);
    draft.change({ featuredMediaId: image.id });
  };
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-2 font-medium text-sm">{text.image}</legend>
      {id && <ChosenImage id={id} />}
      <div className="flex flex-wrap gap-2">
        <Button look="secondary" onClick={() => setPicking(true)}>
          {id ? text.changeImage : text.chooseImage}
        </Button>
        {id && (
          <Button look="ghost" onClick={() => draft.change({ featuredMediaId: null })}>
            {text.removeImage}
          </Button>
        )}
      </div>
      <p className="text-muted text-xs">{text.imageHint}</p>
      {error && <p className="text-danger text-sm">{error}</p>}
      {isPicking && (
        <Suspense>
          <MediaPicker onPick={pick} onClose={() => setPicking(false)} />
        </Suspense>
      )}
    </fieldset>
  );
}
