import { probeSorts, statusRules } from '@uprez/contracts/policy/status';
import type { Probe } from '@uprez/contracts/schemas/status';
import { countBacklog } from '@uprez/db/queries/billing/billing-customers';
import {
  countProbes,
  findProbeResult,
  type JobSignal,
  listLatestProbes,
  listProbes as listRows,
  readJobSignal,
} from '@uprez/db/queries/status/probes';
import type { Needs } from '../../context.ts';
import { defineTable } from '../../read-table.ts';

const probes = defineTable({
  name: 'probes',
  sorts: probeSorts,
  list: listRows,
  count: countProbes,
  present: (rows): Probe[] =>
    rows.map(({ id, service, at, state, ms, detail }) => ({ id, service, at: at.toISOString(), state, ms, detail })),
});

/** Returns a page of probes. Throws `invalid_parameter`. */
export const listProbes = probes.page;

/** Returns the latest downloadable result of the probe account, with its SHA-256 hash (hex). */
export const findDownload = ({ db }: Needs<'db'>, accountId: string) => findProbeResult(db, accountId);

/** Reads statistics about users' images from the last `statusRules.jobWindowS` seconds. */
export const readSignal = ({ db }: Needs<'db'>): Promise<JobSignal> =>
  readJobSignal(db, { windowS: statusRules.jobWindowS, lateS: statusRules.degradedWaitS });

/** Returns the age of the oldest pending event from the payment provider, in seconds. */
export const readInboxLag = async ({ db }: Needs<'db'>): Promise<number> => (await countBacklog(db)).oldestS;

/** Returns the time of the latest round of probes, or undefined before the first round. */
export async function findLatestRound({ db }: Needs<'db'>): Promise<Date | undefined> {
  const times = (await listLatestProbes(db)).map(({ at }) => at.getTime());
  return times.length > 0 ? new Date(Math.max(...times)) : undefined;
}
