import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import type { Db } from '@uprez/db/database';
import { valueOfPlan } from '@uprez/db/value-of-plan';
import { sql } from 'kysely';

/**
 * Checks the webhook deliveries for finished jobs. Each subscribed endpoint must have exactly one delivery per reported
 * change, and that delivery must have been delivered or have failed. Returns an error for each job and endpoint that
 * violates this. Two events for one change are an error, because receivers recognize a repeated delivery by its event
 * ID. Skips accounts without an endpoint.
 */
export async function checkDeliveries(db: Db): Promise<string[]> {
  const receives = (sandbox: boolean) =>
    valueOfPlan(sql`users`, (plan) => checkPlanLimits(plan, { what: 'webhooks', sandbox }).ok);
  const { rows } = await sql<{ error: string }>`
    select format('job %s: %s of %s deliveries of %s to the endpoint %s ended, %s expected',
      job.id, sent.ended, sent.deliveries, job.type, endpoint.id, greatest(sent.changes, 1)) as error
    from webhook_endpoints endpoint
    join users on users.id = endpoint.account_id
    cross join lateral (
      select id, webhook_url, 'job.' || case status when 'expired' then 'completed' else status end as type
      from jobs
      where account_id = endpoint.account_id and finished_at > endpoint.created_at
        and kind = case when endpoint.is_sandbox then 'sandbox' else 'image' end
    ) job
    cross join lateral (
      select count(distinct event.data ->> 'sequence') as changes, count(*) as deliveries,
        count(*) filter (where delivery.status <> 'pending') as ended
      from events event join webhook_deliveries delivery on delivery.event_id = event.id
      where event.job_id = job.id and event.type = job.type and delivery.endpoint_id = endpoint.id
    ) sent
    where endpoint.is_active and case when endpoint.is_sandbox then ${receives(true)} else ${receives(false)} end
      and case endpoint.kind when 'jobs' then job.webhook_url is not null
        else endpoint.events = '{}' or job.type = any(endpoint.events) end
      and (sent.changes = 0 or sent.deliveries <> sent.changes or sent.ended <> sent.changes)`.execute(db);
  return rows.map(({ error }) => error);
}
