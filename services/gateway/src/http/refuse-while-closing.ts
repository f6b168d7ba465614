import { AppError } from '@uprez/contracts/errors/app-error';

/** Refuse requests that still arrive on open connections while the app closes; another gateway will take them. */
export const refuseWhileClosing = (closing: AbortSignal) => async (): Promise<void> => {
  if (closing.aborted) throw new AppError('service_unavailable');
};
