import { AppError } from '@uprez/contracts/errors/app-error';
import { mimeTypes } from '@uprez/contracts/policy/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { beginPreview } from '@uprez/domain/previews/previews';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { findUser } from '../../http/authenticate.ts';
import { untilGone } from '../../http/closing-signal.ts';
import { contract } from '../../http/contract.ts';
import { resultName } from '../jobs/result-name.ts';
import { receiveForm } from '../uploads/receive-upload.ts';
import { makePreview } from './make-preview.ts';

export function registerPreviewRoutes(app: App, deps: Deps, closing: AbortSignal): void {
  app.register((scope, _options, done) => {
    // A body of another type gets this call's own refusal, and is not read for it.
    scope.addContentTypeParser('*', (_request, _body, ready) => ready(null));
    registerPreview(scope, deps, closing);
    done();
  });
}

function registerPreview(app: App, deps: Deps, closing: AbortSignal): void {
  app.route({
    ...contract('preview'),
    handler: async (request, reply) => {
      const user = await findUser(deps, request);
      const intake = { begin: () => beginPreview(deps, user?.id ?? null), maxBytes: limits.previewBytes };
      const { upload, fields } = await receiveForm(deps, intake, request);
      if (!upload) throw new AppError('no_image');
      const actor = user && { accountId: user.id, tier: user.tier };
      const signal = untilGone(reply, closing);
      const { job, result } = await makePreview(deps, { upload, fields, actor, signal });
      if (!result) throw new AppError('service_unavailable');
      const { stream, lengthBytes } = await deps.storage.get(result.key, { signal, sha256: result.sha256 ?? '' });
      return reply
        .status(200)
        .headers({
          'content-type': mimeTypes[job.plan.output.format],
          'content-length': lengthBytes,
          'content-disposition': `inline; filename="${resultName({ ...job, filename: 'preview' })}"`,
          'cache-control': 'no-store',
          'content-security-policy': "default-src 'none'; sandbox",
        })
        .send(stream);
    },
  });
}
