import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { SeoSettings } from '@uprez/contracts/schemas/seo-settings';
import { useState } from 'react';
import { adminApi } from '../admin-api.ts';
import { settingsMessages, shownCharacters } from './messages.ts';

const text = settingsMessages.seo;

const cut = (value: string, length: number) =>
  value.length > length ? `${value.slice(0, length).trimEnd()}...` : value;
const parseUrl = (url: string) => (URL.canParse(url) ? new URL(url) : undefined);

/** The saved URL of the site, as pages contain it. */
function useSiteUrl(): URL | undefined {
  const { data } = useQuery({
    queryKey: [adminRoutes.getSiteSettings.path, 'preview'],
    queryFn: async ({ signal }) => (await adminApi.getSiteSettings({ signal })).data.siteUrl,
    refetchOnMount: 'always',
  });
  return data === undefined ? undefined : parseUrl(data);
}

/** How a search engine shows the home page. */
export function SearchPreview({ metaTitle, metaDescription }: SeoSettings) {
  return (
    <figure className="grid gap-2">
      <figcaption className="font-medium text-sm">{text.searchPreview}</figcaption>
      <div className="grid max-w-xl gap-0.5 rounded-control border border-line p-3 wrap-anywhere">
        <span className="min-h-4 text-muted text-xs">{useSiteUrl()?.href.replace(/\/+$/, '')}</span>
        <span className="font-medium text-base text-ink">{cut(metaTitle, shownCharacters.title)}</span>
        <span className="text-muted text-sm">{cut(metaDescription, shownCharacters.description)}</span>
      </div>
    </figure>
  );
}

/** The image of a share card. The content policy lets browsers load only images of this site here. */
function CardImage({ url }: { url: string }) {
  const [failed, setFailed] = useState<string>();
  const parsed = parseUrl(url);
  if (!parsed) return text.noImage;
  if (failed === url) return text.imageFailed;
  if (parsed.origin !== window.location.origin) return text.image(parsed.host);
  return <img src={parsed.href} alt="" className="size-full object-cover" onError={() => setFailed(url)} />;
}

/** How a social network shows a link. */
export function SharePreview(seo: SeoSettings) {
  const isLarge = seo.twitterCard !== 'summary';
  return (
    <figure className="grid gap-2">
      <figcaption className="font-medium text-sm">{text.sharePreview}</figcaption>
      <div
        className={`grid max-w-md overflow-hidden rounded-control border border-line wrap-anywhere ${isLarge ? '' : 'grid-cols-[6rem_1fr]'}`}
      >
        <span
          className={`grid place-content-center overflow-hidden bg-sunken text-center text-muted text-xs ${isLarge ? 'aspect-[1200/630]' : 'aspect-square'}`}
        >
          <CardImage url={seo.ogImage} />
        </span>
        <span className="grid content-center gap-0.5 p-3">
          <span className="min-h-4 text-muted text-xs">{useSiteUrl()?.host}</span>
          <span className="font-medium text-sm">{seo.ogTitle || seo.metaTitle}</span>
          <span className="text-muted text-xs">{seo.ogDescription || seo.metaDescription}</span>
        </span>
      </div>
    </figure>
  );
}
