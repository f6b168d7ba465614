import type { SeoSettings } from '@uprez/contracts/schemas/seo-settings';
import { settingsMessages } from './messages.ts';

const text = settingsMessages.seo;
/** Characters that search engines show. */
const shown = { title: 60, description: 160 };

const cut = (value: string, length: number) =>
  value.length > length ? `${value.slice(0, length).trimEnd()}...` : value;
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : undefined);

/** How a search engine shows the home page. */
export function SearchPreview({ metaTitle, metaDescription }: SeoSettings) {
  return (
    <figure className="grid gap-2">
      <figcaption className="font-medium text-sm">{text.searchPreview}</figcaption>
      <div className="grid max-w-xl gap-0.5 rounded-control border border-line p-3 wrap-anywhere">
        <span className="text-muted text-xs">{window.location.origin}</span>
        <span className="font-medium text-base text-ink">{cut(metaTitle, shown.title)}</span>
        <span className="text-muted text-sm">{cut(metaDescription, shown.description)}</span>
      </div>
    </figure>
  );
}

/** How a social network shows a link. Images of other sites aren't loaded here. */
export function SharePreview(seo: SeoSettings) {
  const host = hostOf(seo.ogImage);
  const isLarge = seo.twitterCard !== 'summary';
  return (
    <figure className="grid gap-2">
      <figcaption className="font-medium text-sm">{text.sharePreview}</figcaption>
      <div
        className={`grid max-w-md overflow-hidden rounded-control border border-line wrap-anywhere ${isLarge ? '' : 'grid-cols-[6rem_1fr]'}`}
      >
        <span
          className={`grid place-content-center bg-sunken p-2 text-center text-muted text-xs ${isLarge ? 'aspect-[1200/630]' : 'aspect-square'}`}
        >
          {host ? text.image(host) : text.noImage}
        </span>
        <span className="grid content-center gap-0.5 p-3">
          <span className="text-muted text-xs">{window.location.host}</span>
          <span className="font-medium text-sm">{seo.ogTitle || seo.metaTitle}</span>
          <span className="text-muted text-xs">{seo.ogDescription || seo.metaDescription}</span>
        </span>
      </div>
    </figure>
  );
}
