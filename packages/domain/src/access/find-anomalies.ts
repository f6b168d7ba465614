import { anomalyRules } from '@uprez/contracts/policy/admin/logs';
import { limits } from '@uprez/contracts/policy/limits';
import { type AnomalyFacts, anomalyFactsSchema } from '@uprez/contracts/schemas/admin/logs';
import type { Tx } from '@uprez/db/database';
import {
  type AnomalyRow,
  hasPendingAnomalies,
  lockPendingAnomalies,
  readWindowStart,
  setAnomaliesMailed,
  upsertAnomalies,
} from '@uprez/db/queries/access/anomalies';
import { lockActiveOwners } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../context.ts';
import { listMailAges, queueMail } from '../mails/queue-mail.ts';

export const anomaliesTask = 'find-anomalies';

const maxDescribedAnomalies = 10;

/**
 * Applies the anomaly rules to the access log and emails the owners about new anomalies. Returns how many anomalies the
 * email covers. Safe to repeat.
 */
export async function findAnomalies({ db }: Needs<'db'>): Promise<number> {
  const since = await readWindowStart(db, anomaliesTask);
  for (const rule of anomalyRules) await upsertAnomalies(db, rule, since);
  return (await hasPendingAnomalies(db)) ? db.transaction().execute(mailOwners) : 0;
}

async function mailOwners(tx: Tx): Promise<number> {
  // Locks the owners before the anomalies, because an administrator who acknowledges an anomaly locks their own account
  // first.
  const owners = await lockActiveOwners(tx);
  const rows = await lockPendingAnomalies(tx);
  if (rows.length === 0) return 0;
  // Emails of this kind are limited per hour. The anomalies stay pending until every owner can be emailed.
  for (const id of owners) if ((await listMailAges(tx, id, 'anomalies')).length >= limits.mailsOfKind) return 0;
  const anomalies = rows.slice(0, maxDescribedAnomalies).map(toFacts);
  for (const id of owners)
    await queueMail(tx, id, { mail: 'anomalies', anomalies, more: rows.length - anomalies.length });
  await setAnomaliesMailed(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.length;
}

const toFacts = (row: AnomalyRow): AnomalyFacts => anomalyFactsSchema.parse(row);
