import { AppError } from '@uprez/contracts/errors/app-error';

/** The error of a change that the state of the subscription or the account excludes. `detail`: what to do first. */
export const wrongState = (detail: string): AppError => new AppError('subscription_state', { detail });
