import { setTimeout as delay } from 'node:timers/promises';
import { type ProbeState, type StatusService, statusRules, statusServices } from '@uprez/contracts/policy/status';
import { readClock } from '@uprez/db/times';
import { type Attempt, confirmFailure } from '@uprez/domain/status/probing/confirm-probe';
import { judgeJobs } from '@uprez/domain/status/probing/judge-jobs';
import { ensureProbeAccount, keepProbeAccount } from '@uprez/domain/status/probing/probe-account';
import { findLatestRound, readSignal } from '@uprez/domain/status/probing/probe-facts';
import { type ProbeResult, recordRound } from '@uprez/domain/status/probing/record-round';
import type { Deps } from '../deps.ts';
import { checkApi, checkDelivery } from './check-images.ts';
import { checkPayments } from './check-payments.ts';
import { checkAuthentication, checkUpload, checkWeb } from './check-site.ts';
import { MaintenanceError, makeProbeClient } from './probe-client.ts';

export type ProbeDeps = Pick<Deps, 'db' | 'storage' | 'vault' | 'config'>;
type Found = { state: ProbeState; detail: string };
/** `wait`: between an attempt that failed and the next one. `timeoutS`: of an attempt. */
export type Probing = { wait: (seconds: number) => Promise<void>; timeoutS: number };

const up: Found = { state: 'up', detail: '' };
const defaults: Probing = {
  wait: (seconds) => delay(seconds * 1_000),
  timeoutS: statusRules.attemptTimeoutS,
};
const detailLength = 300;
/** Of a task that is due every few seconds: a round starts when the latest one is almost an interval old. */
const dueS = statusRules.probeIntervalS - 5;

/** The attempts of each service. Undefined: there is nothing to probe yet. */
async function makeAttempts(deps: ProbeDeps): Promise<Record<StatusService, Attempt<Found | undefined>>> {
  const client = makeProbeClient(deps.config.PUBLIC_URL);
  const account = await ensureProbeAccount(deps);
  const checking = { client, account };
  return {
    api: (signal) => checkApi(checking, signal).then(() => up),
    web: (signal) => checkWeb(client, signal).then(() => up),
    upload: (signal) => checkUpload(deps, client, signal).then(() => up),
    authentication: async (signal) => {
      const device = await checkAuthentication(client, account, signal);
      if (device && device !== account.device) await keepProbeAccount(deps, { ...account, device });
      return up;
    },
    payments: () => checkPayments(deps),
    delivery: async (signal) => ((await checkDelivery(deps, checking, signal)) ? up : undefined),
  };
}

async function probe(
  service: StatusService,
  attempt: Attempt<Found | undefined>,
  { wait, timeoutS }: Probing,
): Promise<ProbeResult | undefined> {
  const makeSignal = () => AbortSignal.timeout(timeoutS * 1_000);
  const startOfAttempt = { ms: 0 };
  const timed: typeof attempt = (signal) => {
    startOfAttempt.ms = performance.now();
    return attempt(signal);
  };
  try {
    const found = await confirmFailure(timed, { wait, makeSignal });
    const ms = Math.round(performance.now() - startOfAttempt.ms);
    return found && { service, ms: found.state === 'unconfigured' ? null : ms, ...found };
  } catch (error) {
    const detail = (error instanceof Error ? error.message : String(error)).slice(0, detailLength);
    return { service, state: error instanceof MaintenanceError ? 'maintenance' : 'down', ms: null, detail };
  }
}

/** Probes all services once, and returns what was found. */
export async function probeServices(deps: ProbeDeps, probing: Probing): Promise<ProbeResult[]> {
  const attempts = await makeAttempts(deps);
  const found = await Promise.all(statusServices.map((service) => probe(service, attempts[service], probing)));
  // The first result is made by the probe of the API.
  const isFirst = !found.some((result) => result?.service === 'delivery');
  if (isFirst) found.push(await probe('delivery', attempts.delivery, probing));
  const results = found.filter((result) => result !== undefined);
  const jobs = judgeJobs(await readSignal(deps));
  return results.map((result) => (result.service === 'api' && result.state === 'up' ? { ...result, ...jobs } : result));
}

/** Probes all services and stores the results, unless the latest round is recent. Returns whether it did. */
export async function runProbes(deps: ProbeDeps, probing = defaults): Promise<boolean> {
  const latest = await findLatestRound(deps);
  const now = await readClock(deps.db);
  if (latest && now.getTime() - latest.getTime() < dueS * 1_000) return false;
  const results = await probeServices(deps, probing);
  await recordRound(deps, { at: await readClock(deps.db), results });
  return true;
}
