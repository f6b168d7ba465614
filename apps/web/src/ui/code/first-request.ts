import { lines } from '../../examples/curl/image.sh?code';
import { fillPlaceholders } from './example-values.ts';
import { type Lines, mapText } from './lines.ts';

/** The shortest request that processes an image. `key`: the key, or a shell variable. */
export const makeFirstRequest = (address: string, key: string): Lines =>
  mapText(lines, (piece) => fillPlaceholders(piece, { address, key }));
