import { type ProbeSort, probeSorts, statusRules } from '@uprez/contracts/policy/status';
import type { Probe } from '@uprez/contracts/schemas/status';
import { countBacklog } from '@uprez/db/queries/billing/billing-customers';
import {
  countProbes,
  findProbeResult,
  type JobSignal,
  listLatestProbes,
  listProbes as listRows,
  type ProbeFilter,
  readJobSignal,
} from '@uprez/db/queries/status/probes';
import type { Needs } from '../../context.ts';
import { readPage, type TablePage, type TableQuery } from '../../read-table.ts';

/** Returns a page of probes. Throws `invalid_parameter`. */
export async function listProbes(
  { db }: Needs<'db'>,
  { sort = probeSorts[0], cursor, limit, ...filter }: ProbeFilter & TableQuery<ProbeSort>,
): Promise<TablePage<Probe>> {
  const page = await readPage(
    { list: 'probes', sort, cursor, limit },
    { list: (query) => listRows(db, { ...filter, ...query }), count: () => countProbes(db, filter) },
  );
  const rows = page.rows.map(({ id, service, at, state, ms, detail }) => {
    return { id, service, at: at.toISOString(), state, ms, detail };
  });
  return { ...page, rows };
}

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
