import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import { Link } from 'react-router';
import { Card } from '../../ui/layout/card.tsx';
import { QuotaMeter } from '../../ui/plans/quota-meter.tsx';
import { dashboardMessages } from './messages.ts';

const text = dashboardMessages.quota;

export function QuotaCard({ dashboard, unitsPath }: { dashboard: Dashboard; unitsPath: string }) {
  return (
    <Card title={text.title}>
      <div className="grid gap-x-8 gap-y-4 sm:max-lg:grid-flow-col sm:max-lg:auto-cols-fr">
        {dashboard.quota.map((quota) => (
          <QuotaMeter key={quota.meter} quota={quota} dashboard={dashboard} />
        ))}
      </div>
      <Link
        to={unitsPath}
        preventScrollReset
        className="inline-flex min-h-6 items-center justify-self-start text-muted text-sm underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current"
      >
        {text.units}
      </Link>
    </Card>
  );
}
