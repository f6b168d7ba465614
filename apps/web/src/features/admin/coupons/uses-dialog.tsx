import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { limits } from '@uprez/contracts/policy/limits';
import type { Coupon } from '@uprez/contracts/schemas/billing/coupons';
import { EmptyState, NoActivityArt } from '../../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { adminMessages } from '../messages.ts';
import { StatusBadge, TimeCell } from '../payments/cells.tsx';
import { couponMessages as text } from './messages.ts';

/** The latest uses of a coupon. */
export function UsesDialog({ coupon: { id, code }, onClose }: { coupon: Coupon; onClose: () => void }) {
  const query = useQuery({
    queryKey: [adminRoutes.adminListRedemptions.path, id],
    queryFn: async ({ signal }) =>
      (await adminApi.adminListRedemptions({ params: { id }, query: { limit: limits.maxPageRows }, signal })).data,
  });
  return (
    <Dialog open onOpenChange={onClose} title={text.usesTitle(code)}>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-32 rounded-card" />}
        isEmpty={(rows) => rows.length === 0}
        empty={<EmptyState {...text.noUses} illustration={<NoActivityArt />} />}
      >
        {(rows) => (
          <ul className="grid divide-y divide-line">
            {rows.map((row) => (
              <li key={row.id} className="flex flex-wrap items-center justify-between gap-2 py-2.5 text-sm">
                <span className="min-w-0 wrap-anywhere">{row.email ?? adminMessages.table.noAccount}</span>
                <span className="flex items-center gap-3">
                  <TimeCell at={row.redeemedAt ?? row.releasedAt ?? row.reservedAt} />
                  <StatusBadge status={row.state} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Dialog>
  );
}
