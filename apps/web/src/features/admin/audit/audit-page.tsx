import { AdminPage } from '../frame/admin-page.tsx';
import { AuditTable } from './audit-table.tsx';
import { auditMessages as text } from './messages.ts';

export const AuditPage = () => (
  <AdminPage title={text.title} subtitle={text.subtitle}>
    <AuditTable />
  </AdminPage>
);
