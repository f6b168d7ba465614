import { showToast } from '../notifications/toast-store.ts';
import { errorSentence } from './error-sentence.ts';

/** Says in a toast that a call failed, and why. */
export const tellFailure = (title: string) => (error: Error) =>
  void showToast({ title, description: errorSentence(error), destructive: true });
