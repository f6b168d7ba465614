import { create } from 'zustand';

/** `finish`: closes the dialog, and repeats the waiting calls if the user proved who they are. */
export const useStepUp = create<{ finish?: ((isProven: boolean) => void) | undefined }>(() => ({}));

let asked: Promise<boolean> | undefined;

/** Opens the dialog, once for concurrent calls. Resolves to whether the user entered a correct password or code. */
export function askForProof(): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    useStepUp.setState({
      finish: (isProven) => {
        asked = undefined;
        useStepUp.setState({ finish: undefined });
        resolve(isProven);
      },
    });
  });
  return asked;
}
