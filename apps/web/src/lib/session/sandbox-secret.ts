import { create } from 'zustand';
import { onClear } from './account-data.ts';

type SandboxSecret = { keyId: string; secret: string };

/**
 * The newest sandbox key created or rotated in this tab, for requests from the API explorer. Kept only in memory, until
 * the page is reloaded or the user signs out.
 */
export const useSandboxSecret = create<{ known?: SandboxSecret | undefined }>(() => ({}));

export const keepSandboxSecret = (known: SandboxSecret): void => useSandboxSecret.setState({ known });

onClear(() => useSandboxSecret.setState({ known: undefined }));
