import { AppError } from '@uprez/contracts/errors/app-error';
import { meters } from '@uprez/contracts/policy/meters';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { readBalance } from './ensure-period.ts';

/** Quota of an account by meter. `used` includes reserved units; `left` is never negative. Throws `not_signed_in`. */
export async function readQuota(ctx: Needs<'db'>, { actor: { accountId } }: { actor: Pick<Actor, 'accountId'> }) {
  const balance = await readBalance(ctx, accountId);
  if (!balance) throw new AppError('not_signed_in');
  const resetsAt = balance.period.endsAt.toISOString();
  const quota = meters.flatMap((meter) => {
    const allowances = balance.allowances.filter((allowance) => allowance.meter === meter);
    if (allowances.length === 0) return [];
    const given = (source: 'plan' | 'grant') =>
      sum(allowances.filter((row) => row.source === source).map((row) => row.units));
    const [included, granted] = [given('plan'), given('grant')];
    const left = sum(allowances.map((row) => row.unitsLeft));
    return [{ meter, included, granted, used: included + granted - left, left: Math.max(0, left), resetsAt }];
  });
  return { period: balance.period, meters: quota };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);
