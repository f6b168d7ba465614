import { type Entitlements, planColumns } from './plan-columns.ts';

/** Descriptions of what a plan change gains and loses. Unchanged values are left out. */
export type PlanChanges = { gains: string[]; losses: string[] };

/** Compares the entitlements of two plans. Returns one line for each column that gets better or worse. */
export function comparePlans(from: Entitlements, to: Entitlements): PlanChanges {
  const describe = (isBetter: boolean) =>
    planColumns.flatMap(({ rank, feature, limitation, change }) => {
      const [before, after] = [rank(from), rank(to)];
      if (isBetter ? !(after > before) : !(after < before)) return [];
      return change?.(to, from) ?? (isBetter ? feature : limitation)?.(to) ?? [];
    });
  return { gains: describe(true), losses: describe(false) };
}
