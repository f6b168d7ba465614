import { useState } from 'react';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { IncidentDialog } from '../../features/admin/status/incident-dialogs.tsx';
import { IncidentTable } from '../../features/admin/status/incident-table.tsx';
import { MaintenanceDialog } from '../../features/admin/status/maintenance-dialog.tsx';
import { statusMessages } from '../../features/admin/status/messages.ts';
import { ServicesCard } from '../../features/admin/status/services-card.tsx';
import { SubscribersLink } from '../../features/admin/status/subscribers-link.tsx';
import { Button } from '../../ui/controls/button.tsx';

const text = statusMessages.incidents;
/** Both actions fit beside the title on phones. */
const compact = 'max-sm:px-2 max-sm:text-xs';

/** The services and the incidents of the status page. */
export function IncidentsPage() {
  const mayManage = useMay('incidents.manage');
  const [dialog, setDialog] = useState<'incident' | 'maintenance'>();
  const close = () => setDialog(undefined);
  const actions = (
    <div className="flex flex-wrap gap-2">
      <Button look="secondary" className={compact} onClick={() => setDialog('maintenance')}>
        {text.schedule}
      </Button>
      <Button className={compact} onClick={() => setDialog('incident')}>
        {text.create}
      </Button>
    </div>
  );
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={mayManage && actions}>
      <SubscribersLink />
      <ServicesCard />
      <IncidentTable />
      {dialog === 'incident' && <IncidentDialog onClose={close} />}
      {dialog === 'maintenance' && <MaintenanceDialog onClose={close} />}
    </AdminPage>
  );
}
