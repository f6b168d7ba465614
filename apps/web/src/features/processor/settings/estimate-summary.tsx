import type { Estimate } from '@uprez/contracts/schemas/estimate';
import type { User } from '@uprez/contracts/schemas/user';
import { formatBytes } from '@uprez/contracts/texts/format';
import { useDashboard } from '../../../lib/api/use-dashboard.ts';
import { formatEstimate, formatSize, type Size } from '../../../lib/format/format.ts';
import { ReceiptLine } from '../../../ui/receipt/receipt-line.tsx';
import { processorMessages as text } from '../messages.ts';

type EstimateSummaryProps = { size: Size; estimate: Estimate; user: User | null };

/** Expected size, bytes, time, and cost. */
export function EstimateSummary({ size, estimate, user }: EstimateSummaryProps) {
  const { data } = useDashboard({ enabled: user !== null });
  const { bytes, seconds, units, meter } = estimate;
  const left = data?.quota.find((quota) => quota.meter === meter)?.left;
  const facts = [
    `${formatSize(size)} -> ${formatSize(estimate)}`,
    ...(bytes === null ? [] : [text.aboutBytes(formatBytes(bytes))]),
    ...(seconds === null ? [] : [formatEstimate(seconds)]),
    left === undefined || left < units ? text.costs(units, meter) : text.costsOf(units, meter, left),
  ];
  return (
    <p className="text-sm tabular-nums">
      <ReceiptLine text={facts.join(' · ')} />
    </p>
  );
}
