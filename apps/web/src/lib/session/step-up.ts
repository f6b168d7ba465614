import { errorCodeHeader } from '@uprez/client/api-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { create } from 'zustand';

const required: ErrorCode = 'step_up_required';

/** `finish`: closes the dialog, and repeats the waiting calls if the user proved who they are. */
export const useStepUp = create<{ finish?: ((isProven: boolean) => void) | undefined }>(() => ({}));

let asked: Promise<boolean> | undefined;

/** Opens the dialog, once for concurrent calls. Resolves to whether the user entered a correct password or code. */
function askForProof(): Promise<boolean> {
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

/** Like `fetch`. A call that needs a recent password or code asks for it, and is sent again with the same data. */
export async function fetchWithStepUp(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.headers.get(errorCodeHeader) !== required) return response;
  return (await askForProof()) ? fetch(url, init) : response;
}
