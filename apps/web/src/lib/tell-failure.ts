import { errorSentence } from './error-sentence.ts';
import { showToast } from './toast-store.ts';

/** Says in a toast that a call failed, and why. */
export const tellFailure = (title: string) => (error: Error) =>
  void showToast({ title, description: errorSentence(error), destructive: true });
