import { articleLimits } from '@uprez/contracts/policy/articles';
import { mediaPath } from '@uprez/contracts/policy/images/media';
import { makeSlug } from '@uprez/contracts/texts/make-slug';
import { TextArea, TextField } from '../../../../ui/controls/text-field.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { blogMessages } from '../messages.ts';
import type { Draft } from './draft.ts';
import { editorMessages } from './messages.ts';
import { useDraftState } from './use-draft.ts';

const text = editorMessages.seo;
/** Lengths that search engines display, in characters. */
const maxVisibleLengths = { title: 60, description: 160 } as const;
const truncate = (value: string, length: number) =>
  value.length > length ? `${value.slice(0, length).trimEnd()}...` : value;

type Texts = { url: string; title: string; description: string };

const SearchSnippet = ({ url, title, description }: Texts) => (
  <figure className="grid min-w-0 gap-2">
    <figcaption className="font-medium text-sm">{text.search}</figcaption>
    <div className="grid gap-0.5 rounded-control border border-line p-3 wrap-anywhere">
      <span className="text-muted text-xs">{url}</span>
      <span className="font-medium text-base">{truncate(title, maxVisibleLengths.title)}</span>
      <span className="text-muted text-sm">
        {truncate(description, maxVisibleLengths.description) || text.noDescription}
      </span>
    </div>
  </figure>
);

const ShareCard = ({ url, title, description, imageId }: Texts & { imageId: string | null }) => (
  <figure className="grid min-w-0 gap-2">
    <figcaption className="font-medium text-sm">{text.share}</figcaption>
    <div className="grid overflow-hidden rounded-control border border-line bg-sunken">
      {imageId && <img src={mediaPath(imageId)} alt="" className="aspect-1200/630 w-full object-cover" />}
      <div className="grid gap-0.5 p-3 wrap-anywhere">
        <span className="text-muted text-xs">{new URL(url).host}</span>
        <span className="font-medium text-sm">{title}</span>
        <span className="text-muted text-xs">{description || text.noDescription}</span>
      </div>
    </div>
  </figure>
);

/** `url`: URL that the post has once it is public. */
export function SeoCard({ draft, url }: { draft: Draft; url: string }) {
  const { title, slug, excerpt, seo, featuredMediaId } = useDraftState(draft, ({ fields }) => fields);
  const errors = useDraftState(draft, (state) => state.errors);
  const change = (values: Partial<typeof seo>) => draft.change({ seo: { ...seo, ...values } });
  const texts = {
    url: url.slice(0, url.lastIndexOf('/') + 1) + (slug || makeSlug(title)),
    title: seo.title || title || blogMessages.untitled,
    description: seo.description || excerpt,
  };
  return (
    <Card title={text.title}>
      <TextField
        label={text.seoTitle}
        hint={text.seoTitleHint}
        error={errors['seo/title']}
        value={seo.title}
        placeholder={title}
        onChange={(event) => change({ title: event.target.value })}
        maxLength={articleLimits.seoTitleLength}
        autoComplete="off"
      />
      <TextArea
        label={text.seoDescription}
        hint={text.seoDescriptionHint}
        error={errors['seo/description']}
        value={seo.description}
        onChange={(event) => change({ description: event.target.value })}
        maxLength={articleLimits.seoDescriptionLength}
        rows={3}
      />
      <SearchSnippet {...texts} />
      <ShareCard {...texts} imageId={featuredMediaId} />
    </Card>
  );
}
