import { useQueryClient } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type EngineName, engineNames } from '@uprez/contracts/policy/images/engines';
import { currentPlans, tiers } from '@uprez/contracts/policy/plans/plans';
import { type SiteSettings, siteSettingsSchema } from '@uprez/contracts/schemas/admin/settings';
import * as z from 'zod';
import { Select } from '../../../ui/controls/select.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { TextArea, TextField } from '../../../ui/controls/text-field.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { adminApi } from '../admin-api.ts';
import { parseCents } from '../payments/parse-cents.ts';
import { toInputValue } from '../prices/prices.ts';
import { settingsMessages } from './messages.ts';
import { SettingsFormFrame, useSettingsForm } from './settings-form.tsx';

const text = settingsMessages.site;

type Data = SiteSettings & { version: number };
const costSchema = z.string().refine((typed) => typed.trim() === '' || parseCents(typed) !== undefined, text.costError);
const schema = siteSettingsSchema
  .omit({ engineHourCosts: true, defaultPlan: true })
  .extend({ defaultPlan: z.enum(tiers), costs: z.record(z.string(), costSchema) });
type Values = z.input<typeof schema>;

const toValues = ({ engineHourCosts, version: _, ...rest }: Data): Values => ({
  ...rest,
  costs: Object.fromEntries(engineNames.map((name) => [name, toInputValue(engineHourCosts[name] ?? null)])),
});

/** Returns the hourly cost of each engine, in cents. Leaves out engines without a cost. */
const toCosts = (costs: Values['costs']): Partial<Record<EngineName, number>> =>
  Object.fromEntries(
    engineNames.flatMap((name) => {
      const cents = parseCents(costs[name] ?? '');
      return cents === undefined ? [] : [[name, cents]];
    }),
  );

export function SiteForm({ data }: { data: Data }) {
  const queryClient = useQueryClient();
  const settings = useSettingsForm<Values, Data>({
    screen: 'site',
    schema,
    data,
    toValues,
    read: async () => (await adminApi.getSiteSettings()).data,
    write: async ({ costs, ...rest }, version) => {
      const body = { ...rest, engineHourCosts: toCosts(costs), version };
      const { data: written } = await adminApi.putSiteSettings({ body });
      void queryClient.invalidateQueries({ queryKey: [adminRoutes.adminNotices.path] });
      return written;
    },
    nameChange: (before, after) =>
      before.maintenanceMode === after.maintenanceMode ? undefined : text.maintenanceChanged(after.maintenanceMode),
  });
  const { form } = settings;
  const maintenanceMode = form.watch('maintenanceMode');
  const costErrors = form.formState.errors.costs as Record<string, { message?: string }> | undefined;
  return (
    <SettingsFormFrame
      settings={settings}
      question={maintenanceMode && !settings.stored.maintenanceMode ? text.maintenanceQuestion : undefined}
    >
      <Card title={text.about}>
        <div className="grid gap-5 md:grid-cols-2">
          <TextField label={text.siteName} hint={text.siteNameHint} {...form.field('siteName')} />
          <TextField label={text.siteUrl} hint={text.siteUrlHint} type="url" {...form.field('siteUrl')} />
          <TextField label={text.siteDescription} hint={text.siteDescriptionHint} {...form.field('siteDescription')} />
          <TextField
            label={text.contactEmail}
            hint={text.contactEmailHint}
            type="email"
            {...form.field('contactEmail')}
          />
          <TextField
            label={text.supportEmail}
            hint={text.supportEmailHint}
            type="email"
            {...form.field('supportEmail')}
          />
        </div>
      </Card>
      <Card title={text.access}>
        <div className="grid gap-1">
          <Switch label={text.maintenanceMode} {...form.checkbox('maintenanceMode')} />
          <p className="text-muted text-xs">{text.maintenanceHint}</p>
        </div>
        <div className="grid gap-1">
          <Switch label={text.allowRegistration} {...form.checkbox('allowRegistration')} />
          <p className="text-muted text-xs">{text.registrationHint}</p>
        </div>
        <div className="max-w-sm">
          <Select
            label={text.defaultPlan}
            hint={text.defaultPlanHint}
            {...form.choice('defaultPlan')}
            options={tiers.map((tier) => ({ value: tier, label: currentPlans[tier].name }))}
          />
        </div>
      </Card>
      <Card title={text.owner}>
        <p className="text-muted text-sm">{text.ownerHint}</p>
        <div className="grid gap-5 md:grid-cols-2">
          <TextField label={text.company} {...form.field('company')} />
          <TextField label={text.companyAddress} {...form.field('companyAddress')} />
          <TextField label={text.governingLaw} hint={text.governingLawHint} {...form.field('governingLaw')} />
          <TextField label={text.supportHours} hint={text.supportHoursHint} {...form.field('supportHours')} />
          <TextArea label={text.liability} hint={text.liabilityHint} {...form.field('liability')} />
          <TextArea label={text.legalBasis} hint={text.legalBasisHint} {...form.field('legalBasis')} />
          <TextArea label={text.processors} hint={text.processorsHint} {...form.field('processors')} />
        </div>
      </Card>
      <Card title={text.costs}>
        <p className="text-muted text-sm">{text.costsHint}</p>
        <div className="grid gap-5 sm:grid-cols-2 md:grid-cols-3">
          {engineNames.map((name) => (
            <TextField
              key={name}
              label={text.cost(name)}
              {...form.register(`costs.${name}`)}
              error={costErrors?.[name]?.message}
              inputMode="decimal"
              autoComplete="off"
            />
          ))}
        </div>
      </Card>
    </SettingsFormFrame>
  );
}
