import { AppError } from '@uprez/contracts/errors/app-error';
import type { Anomaly } from '@uprez/contracts/schemas/admin/logs';
import {
  type AnomalyRow,
  acknowledgeAnomaly as acknowledgeRow,
  countAnomalies,
  listAnomalies as listRows,
  lockAnomaly,
} from '@uprez/db/queries/access/anomalies';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { getByUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { defineTable } from '../../read-table.ts';
import { type Administrator, lockAdmin, toAuditFields } from '../administrator.ts';

const anomalies = defineTable({
  name: 'anomalies',
  sorts: ['-found'],
  list: listRows,
  count: countAnomalies,
  present: (rows) => rows.map(presentAnomaly),
});

/** Returns a page of anomalies, newest first. Throws `invalid_parameter`. */
export const listAnomalies = anomalies.page;

/**
 * Acknowledges an anomaly with a note. Does nothing if the same administrator has already acknowledged it. Throws
 * `anomaly_not_found`, or `anomaly_acknowledged` if another administrator has acknowledged it.
 */
export function acknowledgeAnomaly(
  { db }: Needs<'db'>,
  { admin, id, note }: { admin: Administrator; id: string; note: string },
): Promise<Anomaly> {
  return db.transaction().execute(async (tx) => {
    await lockAdmin(tx, admin);
    const before = await getByUuid(id, () => lockAnomaly(tx, id), 'anomaly_not_found');
    const { accountId: actorId } = admin;
    if (before.acknowledgedAt) {
      if (before.acknowledgedBy !== actorId) throw new AppError('anomaly_acknowledged');
      return presentAnomaly(before);
    }
    await acknowledgeRow(tx, { id, actorId, note });
    await insertAudit(tx, {
      ...toAuditFields(admin),
      action: 'anomaly.acknowledge',
      subject: `anomaly:${before.id}`,
      before: { acknowledged: false, note: null },
      after: { acknowledged: true, note },
    });
    const after = await lockAnomaly(tx, id);
    if (!after) throw new AppError('anomaly_not_found');
    return presentAnomaly(after);
  });
}

const presentAnomaly = (row: AnomalyRow): Anomaly => ({
  id: row.id,
  rule: row.rule,
  day: row.day,
  count: row.count,
  account: row.account,
  key: row.key,
  address: row.address,
  country: row.country,
  median: row.median,
  userAgent: row.userAgent,
  userId: row.userId,
  keyId: /^key:(.+)$/.exec(row.subject)?.[1] ?? null,
  foundAt: row.foundAt.toISOString(),
  acknowledgedAt: row.acknowledgedAt?.toISOString() ?? null,
  acknowledgedBy: row.acknowledgedByEmail,
  note: row.note,
});
