import { type ArticleKind, articleLimits, isFixedKind } from '@uprez/contracts/policy/articles';
import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { makeSlug } from '@uprez/contracts/texts/make-slug';
import { lazy, Suspense, useEffect, useState } from 'react';
import { hasErrorCode } from '../../../../lib/api/api-errors.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { Checkbox } from '../../../../ui/controls/checkbox.tsx';
import { exactInput, TextArea, TextField } from '../../../../ui/controls/text-field.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { useHasPermission } from '../../frame/use-own-user.ts';
import { useMediaFile } from '../../media/queries.ts';
import { type CategoryKind, hasCategories, useCategories } from '../queries.ts';
import type { Draft } from './draft.ts';
import { editorMessages } from './messages.ts';
import { useDraftState } from './use-draft.ts';

const text = editorMessages.details;

type PartProps = { draft: Draft };

/** `url`: URL that the article has once it is public. */
export function DetailsCard({ draft, url, kind }: PartProps & { url: string; kind: ArticleKind }) {
  const { excerpt, featured } = useDraftState(draft, ({ fields }) => fields);
  const errors = useDraftState(draft, (state) => state.errors);
  return (
    <Card title={text.title}>
      {!isFixedKind(kind) && <SlugField draft={draft} url={url} />}
      <TextArea
        label={text.excerpt}
        hint={text.excerptHint}
        error={errors.excerpt}
        value={excerpt}
        onChange={(event) => draft.change({ excerpt: event.target.value })}
        maxLength={articleLimits.excerptLength}
      />
      {hasCategories(kind) && <CategoryField draft={draft} kind={kind} />}
      {kind === 'post' && <FeaturedImageField draft={draft} />}
      {(kind === 'post' || kind === 'help') && (
        <Checkbox
          label={kind === 'help' ? text.popular : text.featured}
          checked={featured}
          onChange={(isFeatured) => draft.change({ featured: isFeatured })}
        />
      )}
    </Card>
  );
}

/** The field shows the text as typed, while the draft stores a valid slug. */
function SlugField({ draft, url }: PartProps & { url: string }) {
  const { title, slug } = useDraftState(draft, ({ fields }) => fields);
  const error = useDraftState(draft, ({ errors }) => errors.slug);
  const [typed, setTyped] = useState(slug);
  const shown = makeSlug(typed) === slug ? typed : slug;
  const base = url.slice(0, url.lastIndexOf('/') + 1);
  const change = (value: string) => {
    // Leaves other scripts unchanged while the user is typing, because input methods need the original text. The text
    // is transliterated on blur.
    const next = /[^ -~]/.test(value) ? value : value.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    setTyped(next);
    draft.change({ slug: makeSlug(next) });
  };
  return (
    <TextField
      label={text.slug}
      hint={slug || makeSlug(title) ? text.slugHint(`${base}${slug || makeSlug(title)}`) : text.slugAuto}
      error={error}
      value={shown}
      placeholder={makeSlug(title)}
      onChange={(event) => change(event.target.value)}
      onBlur={() => setTyped(slug)}
      maxLength={articleLimits.slugLength}
      {...exactInput}
    />
  );
}

function CategoryField({ draft, kind }: PartProps & { kind: CategoryKind }) {
  const mayManage = useHasPermission('content.manage');
  const { data, isFetchedAfterMount } = useCategories(kind);
  const categories = data ?? [];
  const selectedIds = useDraftState(draft, ({ fields }) => fields.categoryIds);
  // Removes deleted categories from the draft, because the server would reject every save that includes one.
  useEffect(() => {
    if (!data || !isFetchedAfterMount || !mayManage) return;
    const known = selectedIds.filter((id) => data.some((category) => category.id === id));
    if (known.length < selectedIds.length) draft.change({ categoryIds: known });
  }, [data, isFetchedAfterMount, mayManage, selectedIds, draft]);
  const error = useDraftState(draft, ({ errors }) => errors.categoryIds);
  const toggle = (id: string, isChosen: boolean) =>
    draft.change({ categoryIds: isChosen ? [...selectedIds, id] : selectedIds.filter((one) => one !== id) });
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium text-sm">{text.categories[kind]}</legend>
      {categories.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={selectedIds.includes(id)}
          disabled={!selectedIds.includes(id) && selectedIds.length >= articleLimits.categories}
          onChange={(isChosen) => toggle(id, isChosen)}
        />
      ))}
      {categories.length === 0 && <p className="text-muted text-sm">{text.noCategories(text.categoryPlaces[kind])}</p>}
      {error && <p className="text-danger text-sm">{error}</p>}
    </fieldset>
  );
}

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

function FeaturedImageField({ draft }: { draft: Draft }) {
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
