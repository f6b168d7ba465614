import { type ProbeState, statusRules } from '@uprez/contracts/policy/status';
import { longestGapS, type TimedState } from './count-seconds.ts';

/**
 * Returns for how many seconds up to `now` all probes had one of the states, without a gap. Zero: the latest probe has
 * another state, or there is none within two intervals. `probes`: of one service, in order.
 */
function streakOf(probes: readonly TimedState[], now: number, states: readonly ProbeState[]): number {
  let start = now;
  for (const { at, state } of probes.toReversed()) {
    if (!states.includes(state) || start - at > longestGapS) break;
    start = at;
  }
  return now - start;
}

/** Whether a service has been down for so long that an incident is opened. */
export const isOut = (probes: readonly TimedState[], now: number): boolean =>
  streakOf(probes, now, ['down']) >= statusRules.openAfterS;

/** Whether a service has been without a problem for so long that an incident is resolved. */
export const isClean = (probes: readonly TimedState[], now: number): boolean =>
  streakOf(probes, now, ['up', 'unconfigured']) >= statusRules.resolveAfterS;
