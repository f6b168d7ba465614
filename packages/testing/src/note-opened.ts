import { appendFileSync } from 'node:fs';
import { openedFile } from './config.ts';

/** Counts something expensive that a test opens, for `npm test -- --times`. */
export function noteOpened(kind: 'databases' | 'gateways' | 'products' | 'browsers' | 'sign-ups'): void {
  if (openedFile) appendFileSync(openedFile, `${kind}\n`);
}
