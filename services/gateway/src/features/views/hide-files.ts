import type { Receipt } from '@uprez/contracts/schemas/receipt';
import type { WebhookDeliveryDetail } from '@uprez/contracts/schemas/webhooks';
import type { FastifyRequest } from 'fastify';
import { isViewed } from '../../http/views.ts';

type Linked = { downloadUrl: string | null; thumbnailUrl: string | null };

/** Removes the URLs of files from a response to an administrator who views the account. */
export const hideFiles = <Row extends Linked>(request: FastifyRequest, row: Row): Row =>
  isViewed(request) ? { ...row, downloadUrl: null, thumbnailUrl: null } : row;

/** The same for a receipt: its thumbhash is a small version of the image. */
export const hideThumbhash = (request: FastifyRequest, receipt: Receipt): Receipt =>
  isViewed(request) ? { ...receipt, thumbhash: '' } : receipt;

/** Shortens the URL of a webhook to its origin: the rest is often a secret. */
export const hideUrl = <Row extends { url: string | null }>(request: FastifyRequest, row: Row): Row =>
  isViewed(request) && row.url !== null ? { ...row, url: new URL(row.url).origin } : row;

/** The same for a delivery, without the responses of the user's server. */
export const hideResponses = (request: FastifyRequest, delivery: WebhookDeliveryDetail): WebhookDeliveryDetail =>
  isViewed(request)
    ? { ...hideUrl(request, delivery), attemptLog: delivery.attemptLog.map((row) => ({ ...row, responseBody: null })) }
    : delivery;
