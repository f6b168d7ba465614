import type { AdminService } from '@uprez/contracts/schemas/status';
import { serviceNames } from '@uprez/contracts/texts/status';
import { readClock } from '@uprez/db/times';
import type { Needs } from '../context.ts';
import { readServiceStates } from './page/service-states.ts';

/** The services with their latest probe, and what an administrator set for them. */
export async function listServices(ctx: Needs<'db'>): Promise<AdminService[]> {
  const { states } = await readServiceStates(ctx, await readClock(ctx.db));
  return states.map(({ service, state, probe, override }) => ({
    service,
    name: serviceNames[service],
    state,
    probe: probe ? { state: probe.state, at: probe.at.toISOString(), ms: probe.ms, detail: probe.detail } : null,
    override: override ? { state: override.state, until: override.until.toISOString() } : null,
  }));
}
