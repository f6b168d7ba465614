import { AppError } from '@uprez/contracts/errors/app-error';
import { checkUrl } from '@uprez/guarded-fetch/check-url';

/** Refuse an address that is never fetched, as far as its text tells: `url_not_allowed` of this parameter. Its end, as a name. */
export function checkImageUrl(text: string, param: string): string {
  try {
    const { pathname } = checkUrl(text.trim()).url;
    return pathname.split('/').at(-1) ?? '';
  } catch (error) {
    throw error instanceof AppError ? error.with({ param }) : error;
  }
}
