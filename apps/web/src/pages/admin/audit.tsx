import { AuditTable } from '../../features/admin/audit/audit-table.tsx';
import { auditMessages as text } from '../../features/admin/audit/messages.ts';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';

export const AuditPage = () => (
  <AdminPage title={text.title} subtitle={text.subtitle}>
    <AuditTable />
  </AdminPage>
);
