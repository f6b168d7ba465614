import { create } from 'zustand';

/**
 * State of the step-up dialog. `finish` closes the dialog. If the user entered a correct password or code, the pending
 * calls are then sent again.
 */
export const useStepUp = create<{ finish?: ((isProven: boolean) => void) | undefined }>(() => ({}));

let pendingProof: Promise<boolean> | undefined;

/**
 * Opens the step-up dialog. Concurrent calls share one dialog. Resolves to whether the user entered a correct password
 * or code.
 */
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
