import { AppError } from '@uprez/contracts/errors/app-error';
import { mimeTypes } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { makePreview } from '@uprez/domain/intake/make-preview';
import { inspectionCallerOf } from '@uprez/domain/intake/prepare-upload';
import { insertUpload } from '@uprez/domain/uploads/begin-upload';
import type { Deps } from '../../deps.ts';
import { findUser } from '../../http/authenticate.ts';
import { makeDisconnectSignal } from '../../http/connections.ts';
import { defineHandlers } from '../../http/contract.ts';
import { addressOf } from '../../http/request-callers.ts';
import { resultName } from '../jobs/present-job.ts';
import { receiveForm } from '../uploads/receive-upload.ts';

/** Handler that previews a patch of an image. Visitors can use it, too. */
export const previewHandlers = (deps: Deps, closing: AbortSignal) =>
  defineHandlers({
    preview: async (request, reply) => {
      const address = addressOf(request);
      const user = await findUser(deps, request);
      const actor = user && { accountId: user.id, plan: planOf(user) };
      await deps.admission.requireShortPreview(actor);
      const intake = { begin: () => insertUpload(deps, user?.id ?? null), maxBytes: limits.previewBytes };
      deps.inspector.requireRoom(inspectionCallerOf(actor, address));
      const { upload, fields } = await receiveForm(deps, intake, request);
      if (!upload) throw new AppError('no_image');
      const signal = makeDisconnectSignal(reply, closing);
      const { job, result } = await makePreview(deps, { upload, fields, actor, address, signal });
      if (!result) throw new AppError('service_unavailable');
      const { stream, lengthBytes } = await deps.storage.get(result.key, { signal, sha256: result.sha256 ?? '' });
      reply.headers({
        'content-type': mimeTypes[job.plan.output.format],
        'content-length': lengthBytes,
        'content-disposition': `inline; filename="${resultName({ ...job, filename: 'preview' })}"`,
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; sandbox",
      });
      return reply.status(200).send(stream);
    },
  });
