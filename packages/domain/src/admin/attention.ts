import { hasPermission, type Role } from '@uprez/contracts/policy/admin/permissions';
import type { AdminNotices, AttentionCounts } from '@uprez/contracts/schemas/admin/users';
import { countOpenAnomalies } from '@uprez/db/queries/access/anomalies';
import { countOpenTickets } from '@uprez/db/queries/inbox/tickets';
import { countFailingMails } from '@uprez/db/queries/mails/outbox';
import { listOpenIncidents } from '@uprez/db/queries/status/incidents';
import { countFailingEndpoints } from '@uprez/db/queries/webhooks/webhook-endpoints';
import type { Needs } from '../context.ts';
import { withheldReasons } from '../mails/queue-mail.ts';
import type { JobAdminContext } from './jobs/list-jobs.ts';
import { countJobProblems } from './jobs/read-overview.ts';

const failedWindowS = 86_400;
const overdueAfterS = 15 * 60;

/** Counts what needs an administrator's attention. A count is null if the role doesn't permit reading it. */
export async function readAttention(ctx: JobAdminContext, role: Role | null): Promise<AttentionCounts> {
  const { db } = ctx;
  const [anomalies, mails, webhooks, jobs, tickets] = await Promise.all([
    hasPermission(role, 'logs.read') ? countOpenAnomalies(db) : null,
    hasPermission(role, 'settings.read')
      ? countFailingMails(db, {
          failedS: failedWindowS,
          overdueS: overdueAfterS,
          intended: Object.values(withheldReasons),
        })
      : null,
    hasPermission(role, 'users.read') ? countFailingEndpoints(db) : null,
    hasPermission(role, 'jobs.read') ? countJobProblems(ctx) : null,
    hasPermission(role, 'inbox.manage') ? countOpenTickets(db) : null,
  ]);
  return { anomalies, mails, webhooks, jobs, tickets };
}

/** Returns the maintenance notices shown on every admin page. */
export async function readNotices({ db, settings }: Needs<'db' | 'settings'>): Promise<AdminNotices> {
  const [{ maintenanceMode }, open] = await Promise.all([settings.read('site'), listOpenIncidents(db)]);
  const maintenance = open.filter(({ severity }) => severity === 'maintenance');
  return {
    maintenanceMode,
    maintenance: maintenance.map(({ id, title, state, startsAt, endsAt }) => ({
      ...{ id, title },
      hasStarted: state !== 'scheduled',
      startsAt: startsAt.toISOString(),
      endsAt: endsAt?.toISOString() ?? null,
    })),
  };
}
