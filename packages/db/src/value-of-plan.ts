import { formerPlans, type Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans, tiers } from '@uprez/contracts/policy/plans/plans';
import { type RawBuilder, sql } from 'kysely';

/**
 * Returns SQL that reads a value from each account's plan, like `planOf`. `accounts`: a table with the columns `tier`
 * and `plan_version`.
 */
export function valueOfPlan(
  accounts: RawBuilder<unknown>,
  pick: (plan: Plan) => number | boolean,
): RawBuilder<unknown> {
  const cases = tiers.flatMap((tier) => {
    const isTier = sql`${accounts}.tier = ${sql.lit(tier)}`;
    const former = (formerPlans[tier] ?? []).map(
      (plan) => sql`when ${isTier} and ${accounts}.plan_version = ${sql.lit(plan.version)} then ${sql.lit(pick(plan))}`,
    );
    return [...former, sql`when ${isTier} then ${sql.lit(pick(currentPlans[tier]))}`];
  });
  return sql`(case ${sql.join(cases, sql` `)} end)`;
}
