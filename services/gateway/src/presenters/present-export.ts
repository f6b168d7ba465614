import type { ExportView } from '@uprez/contracts/account';
import { routes } from '@uprez/contracts/routes';
import type { AccountTaskWithSize } from '@uprez/db/queries/account-tasks';

/** An export as its owner sees it; one whose file is gone, or about to go, is expired. */
export function presentExport(task: AccountTaskWithSize): ExportView {
  return {
    id: task.id,
    status: task.status === 'done' && !task.hasFile ? 'expired' : task.status,
    createdAt: task.created_at.toISOString(),
    expiresAt: task.expires_at?.toISOString() ?? null,
    sizeBytes: task.hasFile ? task.size : null,
    downloadUrl: task.hasFile ? routes.downloadExport.path.replace(':id', task.id) : null,
  };
}
