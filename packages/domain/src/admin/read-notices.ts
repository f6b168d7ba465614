import type { AdminNotices } from '@uprez/contracts/schemas/admin/users';
import { listOpenIncidents } from '@uprez/db/queries/status/incidents';
import type { Needs } from '../context.ts';

/** What every page of administrators says about maintenance. */
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
