import { statusRules } from '@uprez/contracts/policy/status';
import { countBacklog } from '@uprez/db/queries/billing/billing-customers';
import { findProbeResult, type JobSignal, listLatestProbes, readJobSignal } from '@uprez/db/queries/status/probes';
import type { Needs } from '../../context.ts';

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
