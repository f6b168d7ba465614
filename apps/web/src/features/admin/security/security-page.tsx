import { useQuery, useQueryClient } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { limits } from '@uprez/contracts/policy/limits';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import {
  type Recommendation,
  type RecommendationCode,
  recommendedSettings,
} from '@uprez/contracts/schemas/admin/security';
import { type SecuritySettings, securitySettingsSchema } from '@uprez/contracts/schemas/admin/settings';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { formatCount, pluralize } from '@uprez/contracts/texts/format';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import * as z from 'zod';
import { paths } from '../../../site-map.ts';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { describeRange, parseNumber } from '../../../ui/controls/number-field.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { TextArea, TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { SecurityTabs } from '../frame/page-tabs.tsx';
import { useOwnUser } from '../frame/use-own-user.ts';
import { SettingsFormFrame, toHistoryPath, useSettingsForm } from '../settings/settings-form.tsx';

const isOrAre = (count: number) => (count === 1 ? 'is' : 'are');
const pluralizeAdministrators = (count: number) => pluralize(count, 'administrator');
const keys = (count: number) => pluralize(count, 'API key');

const text = {
  title: 'Security Settings',
  subtitle: 'Sign-in, sessions, passwords, and API access',
  history: 'View history',
  byDefault: (value: number) => `Default: ${formatCount(value)}.`,
  signIn: 'Sign-in',
  requireTwoFactor: 'Require two-factor authentication',
  requireTwoFactorHint: "Administrators without it can't use the back office until they turn it on. Off by default.",
  ownTwoFactor: "You don't use two-factor authentication. Turn it on before you require it of everyone.",
  turnOn: 'Open your account',
  sessionTimeout: 'Session timeout (minutes)',
  sessionTimeoutHint: 'Users are signed out after this time without activity.',
  maxLoginAttempts: 'Max login attempts',
  maxLoginAttemptsHint: 'Failed attempts before the account is locked.',
  lockoutDuration: 'Lockout duration (minutes)',
  lockoutDurationHint: 'How long sign-in stays locked.',
  minPasswordLength: 'Minimum password length',
  minPasswordLengthHint: 'For new passwords. Existing passwords keep working.',
  api: 'API access',
  rateLimitEnabled: 'Rate limiting',
  rateLimitEnabledHint: 'Limits requests per minute. Limits by IP address always apply. On by default.',
  rateLimitRequests: 'Requests per minute',
  rateLimitRequestsHint: `For the ${currentPlans.free.name} plan. Plans with a higher limit keep it.`,
  allowedOrigins: 'Allowed origins',
  allowedOriginsHint:
    'Websites that can call the public API from a browser with any API key. Keys can allow more. One per line, such as https://example.com.',
  recommendations: {
    title: 'Recommendations',
    none: 'Your settings follow all recommendations.',
    fix: 'Go to setting',
    texts: {
      two_factor_optional: () => "Two-factor authentication isn't required for administrators.",
      staff_without_two_factor: (count) =>
        `${pluralizeAdministrators(count)} ${count === 1 ? "doesn't" : "don't"} use two-factor authentication.`,
      single_owner: () => 'There is only 1 owner. Make a second person an owner in case the first one loses access.',
      rate_limits_off: () => 'Rate limits are off.',
      short_passwords: (length) =>
        `Passwords can be as short as ${pluralize(length, 'character')}. Require at least ${recommendedSettings.minPasswordLength}.`,
      many_login_attempts: (attempts) =>
        `${pluralize(attempts, 'failed sign-in')} ${isOrAre(attempts)} possible before a lockout. Allow at most ${recommendedSettings.maxLoginAttempts}.`,
      long_sessions: (minutes) =>
        `Sessions end after ${pluralize(minutes, 'minute')} without activity. Use at most ${formatCount(recommendedSettings.sessionTimeout)}.`,
      insecure_origins: (count) =>
        `${pluralize(count, 'allowed origin')} ${count === 1 ? 'uses' : 'use'} http. Use https.`,
      unattended_service_keys: (count) =>
        `${pluralize(count, 'active service key')} ${count === 1 ? 'was' : 'were'} created by someone who can't manage keys anymore.`,
      unused_keys: (count) =>
        `${keys(count)} ${isOrAre(count)} active, but unused for ${limits.apiKeyUnusedDays} days.`,
    } satisfies Record<RecommendationCode, (value: number) => string>,
    links: {
      staff_without_two_factor: 'Show administrators',
      single_owner: 'Show administrators',
      unattended_service_keys: 'Show service keys',
      unused_keys: 'Show unused keys',
    } satisfies Partial<Record<RecommendationCode, string>>,
  },
} as const;

/** Page for the security settings. Loads them when it opens, and doesn't refetch them while they are being edited. */
export function SecuritySettingsPage() {
  const query = useQuery<StoredSecurity>({ queryKey: [adminRoutes.getSecuritySettings.path], gcTime: 0 });
  const historyLink = (
    <Link to={toHistoryPath('security')} className={buttonStyle({ look: 'secondary' })}>
      {text.history}
    </Link>
  );
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={historyLink}>
      <SecurityTabs />
      <RecommendationsCard />
      <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />}>
        {(data) => <SecurityForm data={data} />}
      </QueryView>
    </AdminPage>
  );
}

const recommendationsText = text.recommendations;

type RecommendationTarget = { to: string; label: string } | { setting: keyof SecuritySettings };
/** Where administrators can follow each recommendation: on another page, or with a setting on this page. */
const recommendationTargets: Record<RecommendationCode, RecommendationTarget> = {
  two_factor_optional: { setting: 'requireTwoFactor' },
  staff_without_two_factor: {
    to: `${adminPages.permissions}?twoFactor=off`,
    label: recommendationsText.links.staff_without_two_factor,
  },
  single_owner: { to: adminPages.permissions, label: recommendationsText.links.single_owner },
  rate_limits_off: { setting: 'rateLimitEnabled' },
  short_passwords: { setting: 'minPasswordLength' },
  many_login_attempts: { setting: 'maxLoginAttempts' },
  long_sessions: { setting: 'sessionTimeout' },
  insecure_origins: { setting: 'allowedOrigins' },
  unattended_service_keys: {
    to: `${adminPages.apiKeys}?status=active&kind=service`,
    label: recommendationsText.links.unattended_service_keys,
  },
  unused_keys: { to: `${adminPages.apiKeys}?status=unused`, label: recommendationsText.links.unused_keys },
};

function focusSetting(name: keyof SecuritySettings): void {
  const control = document.getElementById(settingId(name))?.querySelector<HTMLElement>('input, textarea');
  control?.scrollIntoView({ block: 'center' });
  control?.focus({ preventScroll: true });
}

function RecommendationItem({ recommendation: { code, value } }: { recommendation: Recommendation }) {
  const sentence = recommendationsText.texts[code](value);
  const place = recommendationTargets[code];
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0">
      <p className="min-w-0 flex-1 basis-60">{sentence}</p>
      {'to' in place ? (
        <Link
          to={place.to}
          aria-label={`${place.label}: ${sentence}`}
          className={buttonStyle({ look: 'secondary', size: 'small' })}
        >
          {place.label}
        </Link>
      ) : (
        <Button
          look="secondary"
          size="small"
          aria-label={`${recommendationsText.fix}: ${sentence}`}
          onClick={() => focusSetting(place.setting)}
        >
          {recommendationsText.fix}
        </Button>
      )}
    </li>
  );
}

/** Shows security recommendations, each with a link to where it can be followed. */
function RecommendationsCard() {
  const query = useQuery<Recommendation[]>({
    queryKey: [adminRoutes.adminListRecommendations.path],
    refetchOnMount: 'always',
  });
  return (
    <Card title={recommendationsText.title}>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-24" />}
        isEmpty={(rows) => rows.length === 0}
        empty={<p className="text-muted text-sm">{recommendationsText.none}</p>}
      >
        {(rows) => (
          <ul className="divide-y divide-line text-sm">
            {rows.map((one) => (
              <RecommendationItem key={one.code} recommendation={one} />
            ))}
          </ul>
        )}
      </QueryView>
    </Card>
  );
}

const settingId = (name: keyof SecuritySettings): string => `security-${name}`;
const Setting = ({ name, children }: { name: keyof SecuritySettings; children: ReactNode }) => (
  <div id={settingId(name)} className="grid content-start gap-1">
    {children}
  </div>
);

function useSecurityForm(data: StoredSecurity) {
  const queryClient = useQueryClient();
  return useSettingsForm<SecurityValues, StoredSecurity>({
    screen: 'security',
    schema: securityFormSchema,
    data,
    toValues: toSecurityValues,
    read: async () => (await adminApi.getSecuritySettings()).data,
    write: async (values, version) => {
      const { data: written } = await adminApi.putSecuritySettings({
        body: { ...toSecuritySettings(values), version },
      });
      void queryClient.invalidateQueries({ queryKey: [adminRoutes.adminListRecommendations.path] });
      return written;
    },
  });
}

/** Warns an administrator without two-factor authentication that requiring it would lock them out. */
function OwnTwoFactorNotice() {
  if (useOwnUser()?.twoFactorEnabled !== false) return null;
  return (
    <Notice kind="warning">
      <p>
        {text.ownTwoFactor}{' '}
        <Link to={paths.account} className="underline">
          {text.turnOn}
        </Link>
      </p>
    </Notice>
  );
}

function SecurityForm({ data }: { data: StoredSecurity }) {
  const settings = useSecurityForm(data);
  const { form } = settings;
  const { requireTwoFactor, rateLimitEnabled } = form.watch();
  const numberField = (name: NumberSetting) => (
    <Setting name={name}>
      <TextField
        label={text[name]}
        hint={`${text[`${name}Hint`]} ${text.byDefault(securityDefaults[name])}`}
        {...form.field(name)}
        inputMode="numeric"
        autoComplete="off"
      />
    </Setting>
  );
  const toggle = (name: 'requireTwoFactor' | 'rateLimitEnabled', checked: boolean) => (
    <Setting name={name}>
      <Switch label={text[name]} checked={checked} onChange={(on) => form.change({ [name]: on })} />
      <p className="text-muted text-xs">{text[`${name}Hint`]}</p>
    </Setting>
  );
  return (
    <SettingsFormFrame settings={settings} permission="security.manage">
      <Card title={text.signIn}>
        {toggle('requireTwoFactor', requireTwoFactor)}
        {requireTwoFactor && <OwnTwoFactorNotice />}
        <div className="grid gap-5 md:grid-cols-2">
          {numberField('sessionTimeout')}
          {numberField('minPasswordLength')}
          {numberField('maxLoginAttempts')}
          {numberField('lockoutDuration')}
        </div>
      </Card>
      <Card title={text.api}>
        {toggle('rateLimitEnabled', rateLimitEnabled)}
        <div className="grid gap-5 md:grid-cols-2">
          {numberField('rateLimitRequests')}
          <Setting name="allowedOrigins">
            <TextArea
              label={text.allowedOrigins}
              hint={text.allowedOriginsHint}
              {...form.field('allowedOrigins')}
              autoComplete="off"
              spellCheck={false}
            />
          </Setting>
        </div>
      </Card>
    </SettingsFormFrame>
  );
}

type StoredSecurity = SecuritySettings & { version: number };

const { shape } = securitySettingsSchema;
const securityDefaults = securitySettingsSchema.parse({});

type NumberSetting =
  | 'sessionTimeout'
  | 'maxLoginAttempts'
  | 'lockoutDuration'
  | 'rateLimitRequests'
  | 'minPasswordLength';

/** Takes the allowed range from the API contract. */
function numberSchema(name: NumberSetting) {
  const { minValue, maxValue } = shape[name].unwrap();
  const range = { min: minValue ?? 0, max: maxValue ?? Number.MAX_SAFE_INTEGER };
  return z.string().refine((text) => parseNumber(text, range) !== undefined, { error: describeRange(range) });
}

const toLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const securityFormSchema = z.object({
  requireTwoFactor: z.boolean(),
  rateLimitEnabled: z.boolean(),
  sessionTimeout: numberSchema('sessionTimeout'),
  maxLoginAttempts: numberSchema('maxLoginAttempts'),
  lockoutDuration: numberSchema('lockoutDuration'),
  rateLimitRequests: numberSchema('rateLimitRequests'),
  minPasswordLength: numberSchema('minPasswordLength'),
  /** One origin per line. */
  allowedOrigins: z.string().transform(toLines).pipe(shape.allowedOrigins.unwrap()),
});
type SecurityValues = z.input<typeof securityFormSchema>;

const toSecurityValues = ({ version: _, ...stored }: StoredSecurity): SecurityValues => ({
  ...stored,
  sessionTimeout: String(stored.sessionTimeout),
  maxLoginAttempts: String(stored.maxLoginAttempts),
  lockoutDuration: String(stored.lockoutDuration),
  rateLimitRequests: String(stored.rateLimitRequests),
  minPasswordLength: String(stored.minPasswordLength),
  allowedOrigins: stored.allowedOrigins.join('\n'),
});

const toSecuritySettings = (values: SecurityValues): SecuritySettings => ({
  ...values,
  sessionTimeout: Number(values.sessionTimeout),
  maxLoginAttempts: Number(values.maxLoginAttempts),
  lockoutDuration: Number(values.lockoutDuration),
  rateLimitRequests: Number(values.rateLimitRequests),
  minPasswordLength: Number(values.minPasswordLength),
  allowedOrigins: toLines(values.allowedOrigins),
});
