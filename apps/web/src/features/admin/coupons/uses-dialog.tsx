import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { Coupon } from '@uprez/contracts/schemas/billing/coupons';
import { EmptyState, NoActivityArt } from '../../../ui/feedback/empty-state.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { adminMessages } from '../messages.ts';
import { StatusBadge, TimeCell } from '../payments/cells.tsx';
import { PagedList } from '../table/paged-list.tsx';
import { usePages } from '../table/use-pages.ts';
import { couponMessages as text } from './messages.ts';

/** The uses of a coupon, newest first. */
export function UsesDialog({ coupon: { id, code }, onClose }: { coupon: Coupon; onClose: () => void }) {
  const params = { id };
  const query = usePages([adminRoutes.adminListRedemptions.path, id], (request) =>
    adminApi.adminListRedemptions({ params, ...request }),
  );
  const empty = <EmptyState {...text.noUses} illustration={<NoActivityArt />} />;
  return (
    <Dialog open onOpenChange={onClose} title={text.usesTitle(code)}>
      <PagedList query={query} exports={adminRoutes.adminExportRedemptions} params={params} empty={empty}>
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
      </PagedList>
    </Dialog>
  );
}
