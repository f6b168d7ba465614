import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { LedgerTable } from '../../../ui/ledger/ledger-table.tsx';
import { adminApi } from '../admin-api.ts';
import { PagedList } from '../table/paged-list.tsx';
import { usePages } from '../table/use-pages.ts';
import { userMessages } from './messages.ts';
import { userKeyOf } from './queries.ts';

/** Every change of a user's credits, newest first. */
export function LedgerTab({ userId: id }: { userId: string }) {
  const params = { id };
  const query = usePages(userKeyOf(id, 'ledger'), (request) => adminApi.adminListLedger({ params, ...request }));
  const empty = <EmptyState {...userMessages.ledger.empty} />;
  return (
    <div className="grid gap-4">
      <PagedList query={query} exports={adminRoutes.adminExportLedger} params={params} empty={empty}>
        {(rows) => <LedgerTable rows={rows} />}
      </PagedList>
    </div>
  );
}
