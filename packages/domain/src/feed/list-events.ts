import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { may } from '@uprez/contracts/policy/may';
import type { EventType } from '@uprez/contracts/schemas/webhook-events';
import { findNewEvent, findPosition, listEvents as listRows } from '@uprez/db/queries/webhooks/events';
import { type Actor, isSandbox } from '../actor.ts';
import type { Needs } from '../context.ts';
import { releaseEvents } from './release-events.ts';

export type EventFilter = {
  after?: string | undefined;
  type?: EventType | undefined;
  order?: 'asc' | 'desc' | undefined;
  limit?: number | undefined;
};

/** Events after a known one, in a stable order without gaps. Throws `plan_feature` or `invalid_parameter`. */
export async function listEvents(ctx: Needs<'db'>, { actor, ...filter }: { actor: Actor } & EventFilter) {
  const { accountId, tier } = actor;
  const permission = may(tier, { what: 'events' });
  if (!permission.ok)
    throw new AppError('plan_feature', {
      detail: "Your plan doesn't include the event feed.",
      hint: 'Upgrade to a plan that includes the event feed.',
      meta: { unlockedBy: permission.unlockedBy },
    });
  while (await findNewEvent(ctx.db, accountId)) await releaseEvents(ctx, accountId);
  const { after, type, order, limit = limits.pageRows } = filter;
  const position = after === undefined ? undefined : await findPosition(ctx.db, accountId, after);
  if (after !== undefined && position === undefined)
    throw new AppError('invalid_parameter', {
      detail: `Event "${after}" not found. Events are kept for ${limits.eventDays} days. Omit "after" to start with the oldest event.`,
      param: 'after',
    });
  const newestFirst = order === 'desc';
  const choice = { accountId, isSandbox: isSandbox(actor), type, newestFirst, position, limit: limit + 1 };
  const rows = await listRows(ctx.db, choice);
  const events = rows.slice(0, limit);
  return { events, nextCursor: rows.length > limit ? (events.at(-1)?.id ?? null) : null };
}
