import type { App } from '../app-type.ts';

/** Leave bodies of these routes unread, whatever they are: whoever needs one reads it, and refuses what it cannot be. */
export function rawBodies(scope: App): void {
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('*', (_request, _body, ready) => ready(null));
}
