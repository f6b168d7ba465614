import { retention } from '@uprez/contracts/policy/plans';
import { useUrlChoice } from '../../lib/browser/use-url-choice.ts';
import { usageMessages as text } from '../../messages/dashboard.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';

const periods = ['7', '30', `${retention.usageRowDays}`] as const;
const periodOptions = periods.map((value) => ({ value, label: text.days(Number(value)) }));
const splits = ['surface', 'engine'] as const;
const splitOptions = splits.map((value) => ({ value, label: text.splits[value] }));
export type UsageSplit = (typeof splits)[number];

/** How many days are shown, and by what they are split; both are in the address. */
export const useUsagePeriod = () => useUrlChoice({ name: 'period', choices: periods, fallback: '30' });
export const useUsageSplit = () => useUrlChoice({ name: 'split', choices: splits, fallback: 'surface' });

/** Chooses the days of the chart and how they are split. */
export function UsageControls() {
  const [period, setPeriod] = useUsagePeriod();
  const [split, setSplit] = useUsageSplit();
  return (
    <div className="flex flex-wrap gap-3">
      <Segmented legend={text.split} legendHidden options={splitOptions} value={split} onChange={setSplit} />
      <Segmented legend={text.period} legendHidden options={periodOptions} value={period} onChange={setPeriod} />
    </div>
  );
}
