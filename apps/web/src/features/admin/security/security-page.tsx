import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { Recommendation, RecommendationCode } from '@uprez/contracts/schemas/security/recommendations';
import type { SecuritySettings } from '@uprez/contracts/schemas/settings';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { Link } from 'react-router';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { AdminPage } from '../frame/admin-page.tsx';
import { historyPage } from '../settings/settings-frame.tsx';
import { SecurityForm, settingId } from './security-form.tsx';
import { SecurityTabs } from './security-tabs.tsx';
import type { StoredSecurity } from './security-values.ts';
import { securitySettingsMessages as text } from './settings-messages.ts';

/** The security settings. They are read when the page opens, and not again while they are edited. */
export function SecuritySettingsPage() {
  const query = useQuery<StoredSecurity>({ queryKey: [adminRoutes.getSecuritySettings.path], gcTime: 0 });
  const historyLink = (
    <Link to={historyPage('security')} className={buttonStyle({ look: 'secondary' })}>
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

type Place = { to: string; label: string } | { setting: keyof SecuritySettings };
/** Where each recommendation is followed: rows of a table, or a control of the page. */
const places: Record<RecommendationCode, Place> = {
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
  const place = places[code];
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

/** What would make the site safer now, each with a link to where it is changed. */
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
