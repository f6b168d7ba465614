import { AppError } from '@uprez/contracts/errors/app-error';
import { type StatusService, statusRules, statusServices } from '@uprez/contracts/policy/status';
import type { AdminService, NewServiceOverride } from '@uprez/contracts/schemas/status';
import { serviceNames } from '@uprez/contracts/texts/status';
import type { Tx } from '@uprez/db/database';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { deleteOverride, findOverride, upsertOverride } from '@uprez/db/queries/status/overrides';
import { readClock } from '@uprez/db/times';
import { type Administrator, lockAdmin, toAuditFields } from '../admin/administrator.ts';
import type { Needs } from '../context.ts';
import { readServiceStates } from './page/service-states.ts';

type Change = { admin: Administrator; service: string };

/**
 * Shows a service in a chosen state until a given time. The service's uptime is still calculated from probes. Throws
 * `status_service_not_found`, or `invalid_parameter` for an end that isn't within the next 30 days.
 */
export const setOverride = (ctx: Needs<'db'>, { override, ...change }: Change & { override: NewServiceOverride }) =>
  writeOverride(ctx, change, async (tx, service) => {
    const until = new Date(override.until);
    requireValidEnd(until, await readClock(tx));
    await upsertOverride(tx, { service, state: override.state, until });
    return { action: 'status.override', after: { state: override.state, until: until.toISOString() } };
  });

/** Removes a service's override. Throws `status_service_not_found`. */
export const removeOverride = (ctx: Needs<'db'>, change: Change) =>
  writeOverride(ctx, change, async (tx, service) => {
    if (!(await deleteOverride(tx, service))) return undefined;
    return { action: 'status.override_end', after: { state: null, until: null } };
  });

function requireValidEnd(until: Date, now: Date): void {
  const { overrideDays } = statusRules;
  const detail = until <= now ? 'The end must be in the future.' : `The end can be at most ${overrideDays} days away.`;
  const latest = now.getTime() + overrideDays * 86_400_000;
  if (until <= now || until.getTime() > latest)
    throw new AppError('invalid_parameter', { param: 'until', detail, allowed: overrideDays });
}

type OverrideWrite = { action: string; after: Record<string, unknown> };

async function writeOverride(
  ctx: Needs<'db'>,
  { admin, service: name }: Change,
  change: (tx: Tx, service: StatusService) => Promise<OverrideWrite | undefined>,
): Promise<AdminService[]> {
  const service = statusServices.find((one) => one === name);
  if (!service) throw new AppError('status_service_not_found');
  await ctx.db.transaction().execute(async (tx) => {
    await lockAdmin(tx, admin);
    const held = await findOverride(tx, service);
    const written = await change(tx, service);
    if (!written) return;
    const before = { state: held?.state ?? null, until: held?.until.toISOString() ?? null };
    await insertAudit(tx, { ...toAuditFields(admin), subject: `status:${service}`, before, ...written });
  });
  return listServices(ctx);
}

/** Returns the services with their latest probe and their override. */
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
