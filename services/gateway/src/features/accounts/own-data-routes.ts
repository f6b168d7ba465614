import { routes } from '@uprez/contracts/endpoints/routes';
import type { ExportView } from '@uprez/contracts/schemas/account';
import { deleteAccount, keepAccount } from '@uprez/domain/accounts/own-data/delete-account';
import { type AccountExport, getExportFile, listExports, requestExport } from '@uprez/domain/accounts/own-data/exports';
import type { Deps } from '../../deps.ts';
import { requireUser } from '../../http/authenticate.ts';
import type { Dialect } from '../dialect.ts';
import { sendObject } from '../files/send-object.ts';
import { setSessionCookie } from './cookies.ts';
import { presentUser } from './present-user.ts';

/** Exports of a user's data, and the deletion of the account. */
export function registerOwnDataRoutes({ route }: Dialect, deps: Deps): void {
  route('requestExport', async (request, reply) => {
    const task = await requestExport(deps, { user: await requireUser(deps, request), ...request.body });
    return reply.status(202).send(presentExport(task));
  });
  route('listExports', async (request) =>
    (await listExports(deps, { user: await requireUser(deps, request) })).map(presentExport),
  );
  route('downloadExport', async (request, reply) => {
    const user = await requireUser(deps, request);
    const { object, createdAt } = await getExportFile(deps, { user, id: request.params.id });
    const filename = `export-${createdAt.toISOString().slice(0, 10)}.zip`;
    const sent = { object, mimeType: 'application/zip', filename, disposition: 'attachment' } as const;
    return sendObject(deps, { request, reply }, { ...sent, mayKeep: false, whenGone: 'export_not_found' });
  });
  route('deleteAccount', async (request, reply) => {
    const user = await requireUser(deps, request);
    const { deletesAt, sessionSecret } = await deleteAccount(deps, { user, ...request.body });
    await setSessionCookie(reply, deps.config, sessionSecret);
    return reply.status(202).send({ deletesAt: deletesAt.toISOString() });
  });
  route('keepAccount', async (request) =>
    presentUser(deps, await keepAccount(deps, { user: await requireUser(deps, request) })),
  );
}

/** An export in responses. One whose file is deleted is expired. */
const presentExport = (task: AccountExport): ExportView => ({
  id: task.id,
  status: task.status === 'done' && !task.hasFile ? 'expired' : task.status,
  createdAt: task.createdAt.toISOString(),
  expiresAt: task.expiresAt?.toISOString() ?? null,
  sizeBytes: task.hasFile ? task.size : null,
  downloadUrl: task.hasFile ? routes.downloadExport.path.replace(':id', task.id) : null,
});
