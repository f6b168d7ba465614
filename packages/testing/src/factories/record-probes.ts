import { type ProbeState, type StatusService, statusServices } from '@uprez/contracts/policy/status';
import type { Db } from '@uprez/db/database';
import { recordRound } from '@uprez/domain/status/probing/record-round';

/** Probed states by service. Services that aren't listed are up. */
export type ProbedStates = Partial<Record<StatusService, ProbeState>>;

export function recordProbes(db: Db, at: Date, states: ProbedStates = {}): Promise<void> {
  const results = statusServices.map((service) => {
    const state = states[service] ?? 'up';
    return { service, state, ms: state === 'up' ? 100 : null, detail: state === 'down' ? 'no response in time' : '' };
  });
  return recordRound({ db }, { at, results });
}
