import { create } from 'zustand';

/**
 * State of the step-up dialog. `finish` closes it, and the waiting calls are sent again if the user entered a correct
 * password or code.
 */
export const useStepUp = create<{ finish?: ((isProven: boolean) => void) | undefined }>(() => ({}));

let pendingProof: Promise<boolean> | undefined;

/** Opens the dialog, once for concurrent calls. Resolves to whether the user entered a correct password or code. */
export function requestProof(): Promise<boolean> {
  pendingProof ??= new Promise<boolean>((resolve) => {
    useStepUp.setState({
      finish: (isProven) => {
        pendingProof = undefined;
        useStepUp.setState({ finish: undefined });
        resolve(isProven);
      },
    });
  });
  return pendingProof;
}
