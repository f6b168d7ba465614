import { routes } from '@uprez/contracts/endpoints/routes';
import type { ExportView } from '@uprez/contracts/schemas/account';
import type { AccountExport } from '@uprez/domain/accounts/own-data/exports';

/** An export as its owner sees it; one whose file is gone, or about to go, is expired. */
export function presentExport(task: AccountExport): ExportView {
  return {
    id: task.id,
    status: task.status === 'done' && !task.hasFile ? 'expired' : task.status,
    createdAt: task.createdAt.toISOString(),
    expiresAt: task.expiresAt?.toISOString() ?? null,
    sizeBytes: task.hasFile ? task.size : null,
    downloadUrl: task.hasFile ? routes.downloadExport.path.replace(':id', task.id) : null,
  };
}
