import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type SeoSettings, seoSettingsSchema } from '@uprez/contracts/schemas/admin/settings';
import { useState } from 'react';
import type * as z from 'zod';
import { Select } from '../../../ui/controls/select.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { adminApi } from '../admin-api.ts';
import { maxShownCharacters, settingsMessages } from './messages.ts';
import { SettingsFormFrame, useSettingsForm } from './settings-form.tsx';

const text = settingsMessages.seo;

type Data = SeoSettings & { version: number };
const schema = seoSettingsSchema.required();
type Values = z.output<typeof schema>;

const toValues = ({ version: _, ...values }: Data): Values => values;

/** Returns the known card types, plus the current type if it isn't one of them. */
const cardOptions = (current: string) => {
  const known = Object.entries(text.cards).map(([value, label]) => ({ value, label }));
  return known.some(({ value }) => value === current) ? known : [...known, { value: current, label: current }];
};

export function SeoForm({ data }: { data: Data }) {
  const settings = useSettingsForm<Values, Data>({
    screen: 'seo',
    schema: schema as z.ZodType<unknown, Values>,
    data,
    toValues,
    read: async () => (await adminApi.getSeoSettings()).data,
    write: async (values, version) => (await adminApi.putSeoSettings({ body: { ...values, version } })).data,
  });
  const { form } = settings;
  const values = form.watch();
  return (
    <SettingsFormFrame settings={settings}>
      <Card title={text.search}>
        <TextField
          label={text.metaTitle}
          hint={text.metaTitleHint(values.metaTitle.length)}
          {...form.field('metaTitle')}
        />
        <TextField
          label={text.metaDescription}
          hint={text.metaDescriptionHint(values.metaDescription.length)}
          {...form.field('metaDescription')}
        />
        <TextField label={text.metaKeywords} hint={text.metaKeywordsHint} {...form.field('metaKeywords')} />
        <SearchPreview {...values} />
      </Card>
      <Card title={text.social}>
        <div className="grid gap-5 md:grid-cols-2">
          <TextField label={text.ogTitle} hint={text.ogTitleHint} {...form.field('ogTitle')} />
          <TextField label={text.ogDescription} hint={text.ogDescriptionHint} {...form.field('ogDescription')} />
          <TextField label={text.ogImage} hint={text.ogImageHint} type="url" {...form.field('ogImage')} />
          <Select label={text.twitterCard} {...form.choice('twitterCard')} options={cardOptions(values.twitterCard)} />
          <TextField label={text.twitterSite} hint={text.twitterSiteHint} {...form.field('twitterSite')} />
        </div>
        <SharePreview {...values} />
      </Card>
      <Card title={text.analytics}>
        <p className="text-muted text-sm">{text.analyticsHint}</p>
        <div className="grid gap-5 md:grid-cols-2">
          <TextField
            label={text.googleAnalyticsId}
            hint={text.googleAnalyticsIdHint}
            {...form.field('googleAnalyticsId')}
            autoComplete="off"
            spellCheck={false}
          />
          <TextField
            label={text.googleTagManagerId}
            hint={text.googleTagManagerIdHint}
            {...form.field('googleTagManagerId')}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
      </Card>
    </SettingsFormFrame>
  );
}

const truncate = (value: string, length: number) =>
  value.length > length ? `${value.slice(0, length).trimEnd()}...` : value;
const parseUrl = (url: string) => (URL.canParse(url) ? new URL(url) : undefined);

/** Returns the saved site URL, or undefined if it isn't loaded or is invalid. */
function useSiteUrl(): URL | undefined {
  const { data } = useQuery({
    queryKey: [adminRoutes.getSiteSettings.path, 'preview'],
    queryFn: async ({ signal }) => (await adminApi.getSiteSettings({ signal })).data.siteUrl,
    refetchOnMount: 'always',
  });
  return data === undefined ? undefined : parseUrl(data);
}

function SearchPreview({ metaTitle, metaDescription }: SeoSettings) {
  return (
    <figure className="grid gap-2">
      <figcaption className="font-medium text-sm">{text.searchPreview}</figcaption>
      <div className="grid max-w-xl gap-0.5 rounded-control border border-line p-3 wrap-anywhere">
        <span className="min-h-4 text-muted text-xs">{useSiteUrl()?.href.replace(/\/+$/, '')}</span>
        <span className="font-medium text-base text-ink">{truncate(metaTitle, maxShownCharacters.title)}</span>
        <span className="text-muted text-sm">{truncate(metaDescription, maxShownCharacters.description)}</span>
      </div>
    </figure>
  );
}

/**
 * Shows the image only if it is on this site, because the page's Content Security Policy blocks images from other
 * hosts.
 */
function CardImage({ url }: { url: string }) {
  const [failed, setFailed] = useState<string>();
  const parsed = parseUrl(url);
  if (!parsed) return text.noImage;
  if (failed === url) return text.imageFailed;
  if (parsed.origin !== window.location.origin) return text.image(parsed.host);
  return <img src={parsed.href} alt="" className="size-full object-cover" onError={() => setFailed(url)} />;
}

function SharePreview(seo: SeoSettings) {
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
