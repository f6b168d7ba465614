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

/** A page of the probes. Throws `invalid_parameter`. */
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

/** The latest result of the account of probes that can be downloaded, and its SHA-256 (hex). */
export const findDownload = ({ db }: Needs<'db'>, accountId: string) => findProbeResult(db, accountId);

/** What the images of users of the last minutes say. */
export const readSignal = ({ db }: Needs<'db'>): Promise<JobSignal> =>
  readJobSignal(db, { windowS: statusRules.jobWindowS, lateS: statusRules.degradedWaitS });

/** The age of the oldest event of the payment provider that waits, seconds. */
export const readInboxLag = async ({ db }: Needs<'db'>): Promise<number> => (await countBacklog(db)).oldestS;

/** The time of the latest round of probes. Undefined before the first one. */
export async function findLatestRound({ db }: Needs<'db'>): Promise<Date | undefined> {
  const times = (await listLatestProbes(db)).map(({ at }) => at.getTime());
  return times.length > 0 ? new Date(Math.max(...times)) : undefined;
}
