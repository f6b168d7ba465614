import type { Receipt } from '@uprez/contracts/schemas/receipt';
import type { FastifyRequest } from 'fastify';
import { isViewed } from '../../http/views.ts';

type Linked = { downloadUrl: string | null; thumbnailUrl: string | null };

/** Removes the URLs of files from a response to an administrator who views the account. */
export const hideFiles = <Row extends Linked>(request: FastifyRequest, row: Row): Row =>
  isViewed(request) ? { ...row, downloadUrl: null, thumbnailUrl: null } : row;

/** The same for a receipt: its thumbhash is a small version of the image. */
export const hideThumbhash = (request: FastifyRequest, receipt: Receipt): Receipt =>
  isViewed(request) ? { ...receipt, thumbhash: '' } : receipt;
