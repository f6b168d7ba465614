import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { Recommendation, RecommendationCode } from '@uprez/contracts/schemas/security/recommendations';
import type { SecuritySettings } from '@uprez/contracts/schemas/settings';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { Link } from 'react-router';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { settingId } from './security-form.tsx';
import { securitySettingsMessages } from './settings-messages.ts';

const text = securitySettingsMessages.recommendations;

type Place = { to: string; label: string } | { setting: keyof SecuritySettings };
/** Where each recommendation is followed: rows of a table, or a control of the page. */
const places: Record<RecommendationCode, Place> = {
  two_factor_optional: { setting: 'requireTwoFactor' },
  staff_without_two_factor: {
    to: `${adminPages.permissions}?twoFactor=off`,
    label: text.links.staff_without_two_factor,
  },
  single_owner: { to: adminPages.permissions, label: text.links.single_owner },
  rate_limits_off: { setting: 'rateLimitEnabled' },
  short_passwords: { setting: 'minPasswordLength' },
  many_login_attempts: { setting: 'maxLoginAttempts' },
  long_sessions: { setting: 'sessionTimeout' },
  insecure_origins: { setting: 'allowedOrigins' },
  unattended_service_keys: {
    to: `${adminPages.apiKeys}?status=active&kind=service`,
    label: text.links.unattended_service_keys,
  },
  unused_keys: { to: `${adminPages.apiKeys}?status=unused`, label: text.links.unused_keys },
};

function focusSetting(name: keyof SecuritySettings): void {
  const control = document.getElementById(settingId(name))?.querySelector<HTMLElement>('input, textarea');
  control?.scrollIntoView({ block: 'center' });
  control?.focus({ preventScroll: true });
}

function RecommendationItem({ recommendation: { code, value } }: { recommendation: Recommendation }) {
  const sentence = text.texts[code](value);
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
          aria-label={`${text.fix}: ${sentence}`}
          onClick={() => focusSetting(place.setting)}
        >
          {text.fix}
        </Button>
      )}
    </li>
  );
}

/** What would make the site safer now, each with a link to where it is changed. */
export function RecommendationsCard() {
  const query = useQuery<Recommendation[]>({
    queryKey: [adminRoutes.adminListRecommendations.path],
    refetchOnMount: 'always',
  });
  return (
    <Card title={text.title}>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-24" />}
        isEmpty={(rows) => rows.length === 0}
        empty={<p className="text-muted text-sm">{text.none}</p>}
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
