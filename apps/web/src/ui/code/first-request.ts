import { lines } from '../../examples/curl/request.sh?code';
import { type Lines, mapText } from './lines.ts';
import { fillIn } from './placeholders.ts';

/** The shortest request that makes an image. `key`: or the name of a variable that holds it. */
export const makeFirstRequest = (address: string, key: string): Lines =>
  mapText(lines, (piece) => fillIn(piece, { address, key }));
