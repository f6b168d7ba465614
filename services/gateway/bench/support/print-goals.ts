/** A figure with its goal: at most, or at least. */
export type Goal = { value: number; unit?: string } & ({ atMost: number } | { atLeast: number });

/** Prints figures with their goals, and whether they pass or fall short. */
export function printGoals(goals: Record<string, Goal>): void {
  const rows = Object.entries(goals).map(([name, goal]) => [name, toRow(goal)] as const);
  console.table(Object.fromEntries(rows));
}

function toRow({ value, unit = '', ...goal }: Goal) {
  const isMost = 'atMost' in goal;
  const limit = isMost ? goal.atMost : goal.atLeast;
  const isMet = isMost ? value <= limit : value >= limit;
  return {
    measured: Number(value.toFixed(2)),
    goal: `${isMost ? '<=' : '>='} ${limit} ${unit}`.trim(),
    result: isMet ? 'PASS' : 'SHORT',
  };
}
