import { lines } from '../../examples/curl/image.sh?code';
import { fillPlaceholders } from './example-values.ts';
import { type Lines, mapText } from './lines.ts';

/** Returns the shortest request that processes an image. `key`: an API key or a shell variable. */
export const makeFirstRequest = (address: string, key: string): Lines =>
  mapText(lines, (piece) => fillPlaceholders(piece, { address, key }));
