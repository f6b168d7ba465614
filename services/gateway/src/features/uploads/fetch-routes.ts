import { AppError } from '@uprez/contracts/errors/app-error';
import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { maxUploadBytesOf } from '@uprez/domain/uploads/begin-upload';
import { openRemoteImage } from '@uprez/domain/uploads/open-remote-image';
import type { Deps } from '../../deps.ts';
import { findUser } from '../../http/authenticate.ts';
import { makeDisconnectSignal } from '../../http/connections.ts';
import { defineHandlers } from '../../http/contract.ts';
import { nameOfFile } from './receive-image.ts';

/**
 * Handler that fetches the image at a URL, without storing it. The web app shows the image before processing. Visitors
 * can use the handler, too.
 */
export const fetchHandlers = (deps: Deps, closing: AbortSignal) =>
  defineHandlers({
    fetchImage: async (request, reply) => {
      const user = await findUser(deps, request);
      const signal = makeDisconnectSignal(reply, closing);
      const wanted = {
        url: request.body.imageUrl,
        maxBytes: maxUploadBytesOf({ plan: user ? planOf(user) : currentPlans.free }),
        signal,
      };
      const image = await openRemoteImage(deps, wanted).catch((error: unknown) => {
        // The signal aborts when the client disconnects or the gateway stops.
        throw signal.aborted ? new AppError('service_unavailable', { cause: error }) : error;
      });
      reply.headers({
        'content-type': image.mimeType,
        'content-disposition': 'attachment',
        'x-file-name': encodeURIComponent(nameOfFile(image)),
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; sandbox",
      });
      return reply.status(200).send(image.stream);
    },
  });
