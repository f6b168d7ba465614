import { type SeoSettings, seoSettingsSchema } from '@uprez/contracts/schemas/seo-settings';
import type * as z from 'zod';
import { Select } from '../../../ui/controls/select.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { adminApi } from '../admin-api.ts';
import { settingsMessages } from './messages.ts';
import { SearchPreview, SharePreview } from './seo-previews.tsx';
import { SettingsFormFrame } from './settings-form.tsx';
import { useSettingsForm } from './use-settings-form.ts';

const text = settingsMessages.seo;

type Data = SeoSettings & { version: number };
const schema = seoSettingsSchema.required();
type Values = z.output<typeof schema>;

const toValues = ({ version: _, ...values }: Data): Values => values;

/** The kinds of cards, and one that was set by other means. */
const cardOptions = (current: string) => {
  const known = Object.entries(text.cards).map(([value, label]) => ({ value, label }));
  return known.some(({ value }) => value === current) ? known : [...known, { value: current, label: current }];
};

/** How search engines and social networks show the site. */
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
          <Select
            label={text.twitterCard}
            value={values.twitterCard}
            onChange={(twitterCard) => form.change({ twitterCard })}
            options={cardOptions(values.twitterCard)}
          />
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
