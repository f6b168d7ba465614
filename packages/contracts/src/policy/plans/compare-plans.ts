import { type Entitlements, planColumns } from './plan-columns.ts';

/** What a change of the plan gains and loses, in words. Values that stay the same are left out. */
export type PlanChanges = { gains: string[]; losses: string[] };

/** Compares the entitlements of two plans: one line for each column that gets better or worse. */
export function comparePlans(from: Entitlements, to: Entitlements): PlanChanges {
  const describe = (isBetter: boolean) =>
    planColumns.flatMap(({ rank, feature, limitation, change }) => {
      const [before, after] = [rank(from), rank(to)];
      if (isBetter ? !(after > before) : !(after < before)) return [];
      return change?.(to, from) ?? (isBetter ? feature : limitation)?.(to) ?? [];
    });
  return { gains: describe(true), losses: describe(false) };
}
