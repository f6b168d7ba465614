import { formatDay } from '@uprez/contracts/texts/format';
import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { formatShortDay } from '../../lib/format/format.ts';

export type DaySeries<K extends string = string> = {
  key: K;
  label: string;
  stack?: string;
};
export type DayNumbers<K extends string = string> = { day: string } & Record<K, number>;

/** Colors for all series except failures, which are shown in red. The colors differ in lightness. */
const colors = ['var(--ink)', 'var(--edge)'];
const failureKeys: readonly string[] = ['failed', 'errors'];

export function assignSeriesColors(series: readonly Pick<DaySeries, 'key'>[]): string[] {
  const others = series.filter(({ key }) => !failureKeys.includes(key));
  return series.map((one) =>
    failureKeys.includes(one.key) ? 'var(--failed)' : (colors[others.indexOf(one)] ?? 'var(--line)'),
  );
}
const axis = { tick: { fill: 'var(--muted)', fontSize: 12 }, tickLine: false, axisLine: false };

type DayPlotProps = {
  days: readonly DayNumbers[];
  series: readonly DaySeries[];
  label: string;
  format: (value: number) => string;
};

export function DayPlot({ days, series, label, format }: DayPlotProps) {
  const fills = assignSeriesColors(series);
  return (
    <ResponsiveContainer>
      <BarChart data={[...days]} title={label} barGap={1} margin={{ top: 4, right: 4, bottom: 0, left: 0 }}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis {...axis} dataKey="day" tickFormatter={formatShortDay} minTickGap={24} />
        <YAxis {...axis} allowDecimals={false} tickFormatter={format} width="auto" />
        <Tooltip
          cursor={{ fill: 'var(--sunken)' }}
          formatter={(value) => format(Number(value))}
          labelFormatter={(day) => formatDay(String(day))}
          contentStyle={{
            background: 'var(--surface)',
            border: '1px solid var(--line)',
            borderRadius: 8,
            fontSize: 14,
          }}
          itemStyle={{ color: 'var(--ink)' }}
          isAnimationActive={false}
        />
        {series.length > 1 && (
          <Legend
            iconType="square"
            itemSorter={null}
            iconSize={10}
            formatter={(name) => <span className="text-ink text-xs">{String(name)}</span>}
          />
        )}
        {series.map(({ key, label: name, stack }, index) => (
          <Bar
            key={key}
            dataKey={key}
            name={name}
            stackId={stack ?? key}
            fill={fills[index] ?? 'var(--ink)'}
            radius={[2, 2, 0, 0]}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
