import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const statements = [
  'alter table disputes add lost_at timestamptz',
  // When they were decided isn't known.
  `update disputes set lost_at = created_at where outcome = 'lost'`,
  'alter table analytics_state add money_read_at timestamptz',
  `alter table cohort_months
    alter paying drop not null, alter paying drop default, alter mrr drop not null, alter mrr drop default`,
  // Months in which MRR wasn't booked have a default only.
  `update cohort_months set paying = null, mrr = null where from_deleted or not exists (
    select from revenue_days where is_booked and date_trunc('month', day::timestamp) = month)`,
  'alter table mrr_accounts rename customer_id to payer_id',
  `with known as (delete from mrr_accounts returning *)
    insert into mrr_accounts (payer_id, tier, cents)
    select coalesce(account_id::text, former_account_id::text, payer_id), (array_agg(tier order by cents desc, tier))[1],
      sum(cents)
    from known left join billing_customers on stripe_id = payer_id group by 1`,
];

const undone = [
  `with known as (delete from mrr_accounts returning *)
    insert into mrr_accounts (payer_id, tier, cents)
    select coalesce(stripe_id, payer_id), tier, cents from known left join billing_customers on account_id::text = payer_id`,
  'alter table mrr_accounts rename payer_id to customer_id',
  'update cohort_months set paying = coalesce(paying, 0), mrr = coalesce(mrr, 0)',
  `alter table cohort_months
    alter paying set not null, alter paying set default 0, alter mrr set not null, alter mrr set default 0`,
  'alter table analytics_state drop money_read_at',
  'alter table disputes drop lost_at',
];

/**
 * When disputes were lost, and until when late changes of money were added to days that are final. Null for the paying
 * accounts of months in which MRR wasn't booked. MRR by account, which may have had other customers at Stripe before.
 */
export const analyticsCorrections: Migration = { up: runAll(statements), down: runAll(undone) };
