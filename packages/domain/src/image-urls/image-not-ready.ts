import { AppError } from '@uprez/contracts/errors/app-error';
import { imageUrls } from '@uprez/contracts/policy/image-urls';

/** The error of an image that isn't ready in time, with the time after which to ask again. */
export const imageNotReady = (): AppError =>
  new AppError('image_not_ready', { meta: { retryAfterS: imageUrls.retrySeconds } });
