import { type ProbeState, statusRules } from '@uprez/contracts/policy/status';
import type { JobSignal } from '@uprez/db/queries/status/probes';

type Judgment = { state: Extract<ProbeState, 'up' | 'degraded' | 'down'>; detail: string };

/** What the images of users say about the API: the share that failed in processing, and how long they waited. */
export function judgeJobs({ ended, failed, failedAccounts, waitS, lateAccounts }: JobSignal): Judgment {
  const { minJobs, minAccounts } = statusRules;
  if (ended < minJobs) return { state: 'up', detail: '' };
  const share = failedAccounts < minAccounts ? 0 : failed / ended;
  const detail = `${failed} of ${ended} images failed in processing`;
  if (share >= statusRules.outageFailures) return { state: 'down', detail };
  if (share >= statusRules.degradedFailures) return { state: 'degraded', detail };
  if (waitS !== null && waitS > statusRules.degradedWaitS && lateAccounts >= minAccounts)
    return { state: 'degraded', detail: `5% of images waited longer than ${Math.round(waitS)} seconds` };
  return { state: 'up', detail: '' };
}
