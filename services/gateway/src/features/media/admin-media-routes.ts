import { AppError } from '@uprez/contracts/errors/app-error';
import { mediaLimits } from '@uprez/contracts/policy/media';
import { planOf } from '@uprez/contracts/policy/plan-versions';
import { deleteMedia, restoreMedia } from '@uprez/domain/media/delete-media';
import { exportMedia, getMedia, getUses, listMedia } from '@uprez/domain/media/list-media';
import { replaceMedia } from '@uprez/domain/media/replace-media';
import { retryMedia } from '@uprez/domain/media/retry-media';
import type { MediaContext } from '@uprez/domain/media/store-file';
import { updateMedia } from '@uprez/domain/media/update-media';
import { uploadMedia } from '@uprez/domain/media/upload-media';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requireAdmin, requireUser } from '../../http/authenticate.ts';
import { inMemory } from '../../http/bodies/open-upload.ts';
import { linkNext } from '../../http/public-links.ts';
import { sendExport } from '../admin/send-export.ts';
import type { Dialect } from '../dialect.ts';
import { mediaColumns } from './media-columns.ts';
import { storeFiles, storeReplacement } from './store-files.ts';

/** The media library, and changes without a file. */
export function registerAdminMediaRoutes({ route }: Dialect, deps: Deps): void {
  const changeOf = async (request: FastifyRequest, id: string) => ({ admin: await requireAdmin(deps, request), id });
  route('adminListMedia', async (request, reply) => {
    const { rows, ...page } = await listMedia(deps, request.query);
    linkNext(reply, { path: '/api/admin/media', query: request.query, ...page });
    return rows;
  });
  route('adminExportMedia', async (request, reply) => {
    const pages = await exportMedia(deps, request.query);
    return sendExport(reply, { name: 'media', columns: mediaColumns, pages, query: request.query });
  });
  route('adminGetMedia', async (request) => getMedia(deps, request.params.id));
  route('adminListMediaUses', async (request) => getUses(deps, request.params.id));
  route('adminUpdateMedia', async (request) => {
    const { params, body } = request;
    return updateMedia(deps, { ...(await changeOf(request, params.id)), changes: body });
  });
  route('adminRetryMedia', async (request) => retryMedia(deps, await changeOf(request, request.params.id)));
  route('adminDeleteMedia', async (request, reply) => {
    await deleteMedia(deps, await changeOf(request, request.params.id));
    return reply.status(204).send(null);
  });
  route('adminRestoreMedia', async (request) => restoreMedia(deps, await changeOf(request, request.params.id)));
}

/** Uploads and replacements: forms that are read as they arrive. */
export function registerMediaWriteRoutes({ route }: Dialect, deps: Deps): void {
  route('adminUploadMedia', async (request, reply) => {
    const admin = await requireAdmin(deps, request);
    const ctx = await contextOf(deps, request);
    const { stored, refused } = await inMemory(deps, held(request), () => storeFiles(ctx, request));
    const [first] = refused;
    if (stored.length === 0 && first) {
      const { code, message } = first;
      throw new AppError(code, { detail: message, meta: { refused } });
    }
    return reply.status(201).send({ files: await uploadMedia(ctx, { admin, stored }), refused });
  });
  route('adminReplaceMedia', async (request) => {
    const admin = await requireAdmin(deps, request);
    const ctx = await contextOf(deps, request);
    const { id } = request.params;
    await getMedia(deps, id);
    const stored = await inMemory(deps, held(request), () => storeReplacement(ctx, request));
    return replaceMedia(ctx, { admin, id, stored });
  });
}

/** Files are in memory one at a time. */
const held = (request: FastifyRequest) => ({ request, maxBytes: mediaLimits.fileBytes });

async function contextOf(
  { db, storage, log, inspector, settings }: Deps,
  request: FastifyRequest,
): Promise<MediaContext> {
  const user = await requireUser({ db, settings }, request);
  const caller = { key: user.id, plan: planOf(user) };
  return { db, storage, log, inspect: (image) => inspector.inspect(image, caller) };
}
