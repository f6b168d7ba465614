import { AppError } from '@uprez/contracts/errors/app-error';
import { checkUrl } from '@uprez/guarded-fetch/check-url';

/** Check the syntax of an image URL; returns its file name. Throws `url_not_allowed` with this parameter. */
export function checkImageUrl(text: string, param: string): string {
  try {
    const { pathname } = checkUrl(text.trim()).url;
    return pathname.split('/').at(-1) ?? '';
  } catch (error) {
    throw error instanceof AppError ? error.with({ param }) : error;
  }
}
