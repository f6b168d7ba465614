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

/** Name of the scheduled task that runs `findAnomalies`. */
export const anomaliesTask = 'find-anomalies';

/** Maximum number of anomalies described in one email. The email also gives the number of further ones. */
const maxDescribedAnomalies = 10;

/**
 * Applies the rules to the access log and emails the owners about new anomalies. Returns the number of anomalies
 * emailed. Safe to repeat.
 */
export async function findAnomalies({ db }: Needs<'db'>): Promise<number> {
  const since = await readWindowStart(db, anomaliesTask);
  for (const rule of anomalyRules) await upsertAnomalies(db, rule, since);
  return (await hasPendingAnomalies(db)) ? db.transaction().execute(mailOwners) : 0;
}

/** Notifies all owners about each anomaly once, in one email for all new ones. */
async function mailOwners(tx: Tx): Promise<number> {
  // Owners are locked before anomalies, because administrators who acknowledge an anomaly lock themselves first.
  const owners = await lockActiveOwners(tx);
  const rows = await lockPendingAnomalies(tx);
  if (rows.length === 0) return 0;
  // Emails of a kind are limited per hour. Anomalies stay pending until every owner can be emailed.
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
