import { AppError } from '@uprez/contracts/errors/app-error';
import { keyPrefixes, servicePrefix } from '@uprez/contracts/schemas/api-keys';
import { keyPlaceholder, keyVariable } from '@uprez/contracts/texts/placeholders';

const preview = new RegExp(`^(${[...Object.values(keyPrefixes), servicePrefix].join('|')})\\w{4}\\.{3}\\w{4}$`);

function describeMistake(text: string): string | undefined {
  if (text === '') return 'the API key is empty.';
  if (text === keyPlaceholder || text === keyVariable) return `replace ${text} with your API key.`;
  if (preview.test(text)) return 'this is the preview of an API key. Send the full key.';
  return undefined;
}

/** Throws `bad_api_key` for the key of an example that was run without a key of one's own. */
export function requireOwnKey(text: string): void {
  const mistake = describeMistake(text);
  if (mistake === undefined) return;
  throw new AppError('bad_api_key', {
    detail: `Unauthorized: ${mistake}`,
    hint: 'Create a key on the "API Keys" page. Every account includes a free sandbox key.',
  });
}
