import { useQuery } from '@tanstack/react-query';
import { routeUrl } from '@uprez/client/route-url';
import type { ApiKeyView, apiKeyDaySchema } from '@uprez/contracts/schemas/api-keys';
import type * as z from 'zod';
import { DayChart } from '../../ui/charts/day-chart.tsx';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { apiKeysMessages } from './messages.ts';

const text = apiKeysMessages.usage;
const series = (['calls', 'errors', 'units'] as const).map((key) => ({ key, label: text.series[key] }));

type KeyDay = z.infer<typeof apiKeyDaySchema>;

/** Daily usage of a key, loaded when it is opened. */
export function KeyUsage({ apiKey: { id, name } }: { apiKey: ApiKeyView }) {
  const query = useQuery<KeyDay[]>({
    queryKey: [routeUrl('apiKeyUsage', { params: { id } })],
    refetchOnMount: 'always',
  });
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton className="h-60 w-full" />}
      isEmpty={(days) => days.every(({ calls }) => calls === 0)}
      empty={<p className="text-muted text-sm">{text.none}</p>}
    >
      {(days) => <DayChart days={days} series={series} label={apiKeysMessages.row.usageOf(name)} />}
    </QueryView>
  );
}
