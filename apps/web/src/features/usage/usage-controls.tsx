import { retention } from '@uprez/contracts/policy/plans';
import { useSearchParam } from '../../lib/browser/use-search-param.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { usageMessages as text } from './messages.ts';

const periods = ['7', '30', `${retention.usageRowDays}`] as const;
const periodOptions = periods.map((value) => ({ value, label: text.days(Number(value)) }));
const splits = ['surface', 'engine'] as const;
const splitOptions = splits.map((value) => ({ value, label: text.splits[value] }));
export type UsageSplit = (typeof splits)[number];

/** The period and the split of the chart, stored in the URL. */
export const useUsagePeriod = () => useSearchParam({ name: 'period', choices: periods, fallback: '30' });
export const useUsageSplit = () => useSearchParam({ name: 'split', choices: splits, fallback: 'surface' });

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
