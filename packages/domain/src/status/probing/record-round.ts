import { type ProbeState, type StatusService, statusRules, statusServices } from '@uprez/contracts/policy/status';
import type { Tx } from '@uprez/db/database';
import { lockIncidents } from '@uprez/db/locks';
import { listAnnouncedWindows } from '@uprez/db/queries/status/incidents';
import { listUnfinishedDays, mapFirstDays, upsertProbeDays } from '@uprez/db/queries/status/probe-days';
import { insertProbes, type JobSignal, listFirstProbes, listProbesBetween } from '@uprez/db/queries/status/probes';
import type { Needs } from '../../context.ts';
import { countSeconds, maxGapS } from '../count-seconds.ts';
import { settleIncidents } from '../incidents/settle-incidents.ts';
import { dateOf, dayOf, secondsOf, spanOfDay } from '../times.ts';

/**
 * Result of a probe. `ms`: duration of a successful probe, in milliseconds. `detail`: reason for a failure, shown to
 * administrators.
 */
export type ProbeResult = { service: StatusService; state: ProbeState; ms: number | null; detail: string };

/** Stores the results of a round of probes, rolls up the day, and opens or resolves incidents. `at`: current time. */
export async function recordRound(
  ctx: Needs<'db'>,
  { at, results }: { at: Date; results: readonly ProbeResult[] },
): Promise<void> {
  const second = dateOf(secondsOf(at));
  await insertProbes(
    ctx.db,
    results.map((result) => ({ ...result, at: second })),
  );
  await settleIncidents(ctx, second);
  await rollUpProbes(ctx, second);
}

/**
 * Seconds after the end of a day until its totals are final. By then, later probes can't affect the day's last minutes.
 */
const finalAfterS = 10 * 60;

/** Rolls up the probes of today and of earlier days that aren't final. `at`: current time. Idempotent. */
const rollUpProbes = ({ db }: Needs<'db'>, at: Date): Promise<void> =>
  db.transaction().execute(async (tx) => {
    // Without the lock, two roll-ups could run concurrently, and the one with older sums could be stored last.
    await lockIncidents(tx);
    const days = new Set([...(await listUnfinishedDays(tx, finalAfterS)), dayOf(at)]);
    for (const day of days) await rollUpDay(tx, day, at);
  });

async function rollUpDay(tx: Tx, day: string, at: Date): Promise<void> {
  const span = spanOfDay(day);
  const now = secondsOf(at);
  const to = Math.min(span.to, now);
  const [around, windows, firstProbes, firstDays] = await Promise.all([
    listProbesBetween(tx, dateOf(span.from - maxGapS), dateOf(Math.min(span.to + maxGapS, now))),
    listAnnouncedWindows(tx, { from: dateOf(span.from), to: dateOf(span.to), noticeS: statusRules.noticeS }),
    listFirstProbes(tx),
    mapFirstDays(tx),
  ]);
  const rows = statusServices.flatMap((service) => {
    const probes = around.filter((probe) => probe.service === service);
    const first = firstProbes.get(service);
    const isFirstDay = (firstDays.get(service) ?? day) >= day;
    if (!first || (isFirstDay && secondsOf(first) >= span.to)) return [];
    const from = isFirstDay ? Math.max(span.from, secondsOf(first)) : span.from;
    const seconds = countSeconds(
      probes.map((probe) => ({ at: secondsOf(probe.at), state: probe.state })),
      { from, to, now, windows: windows.filter((one) => one.service === service).map(toSpan) },
    );
    const ofDay = probes.filter((probe) => dayOf(probe.at) === day && probe.ms !== null);
    return [
      {
        service,
        day,
        upS: seconds.up,
        degradedS: seconds.degraded,
        downS: seconds.down,
        maintenanceS: seconds.maintenance,
        unknownS: seconds.unknown,
        responses: ofDay.length,
        responseMs: ofDay.reduce((sum, { ms }) => sum + (ms ?? 0), 0),
        rolledUpAt: at,
      },
    ];
  });
  await upsertProbeDays(tx, rows);
}

const toSpan = ({ startsAt, endsAt }: { startsAt: Date; endsAt: Date }) => ({
  from: secondsOf(startsAt),
  to: secondsOf(endsAt),
});

type JobsAssessment = { state: Extract<ProbeState, 'up' | 'degraded' | 'down'>; detail: string };

/**
 * Derives the state of the API from the share of users' images that failed in processing and from how long images
 * waited.
 */
export function assessJobs({ ended, failed, failedAccounts, waitS, lateAccounts }: JobSignal): JobsAssessment {
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

/** Throws if the check fails. */
export type Attempt<Result> = (signal: AbortSignal) => Promise<Result>;
type ConfirmOptions = {
  wait: (seconds: number) => Promise<void>;
  makeSignal: () => AbortSignal;
};

/** Retries a failed attempt until it succeeds or has failed often enough to be confirmed. Throws the last error. */
export async function confirmFailure<Result>(
  attempt: Attempt<Result>,
  { wait, makeSignal }: ConfirmOptions,
): Promise<Result> {
  for (const seconds of statusRules.confirmAfterS) {
    try {
      return await attempt(makeSignal());
    } catch {
      await wait(seconds);
    }
  }
  return await attempt(makeSignal());
}
