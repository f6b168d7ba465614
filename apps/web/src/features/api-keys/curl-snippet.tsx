import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { CopyBlock } from '../../ui/code/copy-block.tsx';
import { makeFirstRequest } from '../../ui/code/first-request.ts';
import { toPlainText } from '../../ui/code/lines.ts';
import { apiKeysMessages } from './messages.ts';

const text = apiKeysMessages.sample;

type CurlSnippetProps = { apiKey: ApiKeyView /** The full key, if it is known. */; secret?: string };

/** A curl request that tests a key: it processes an image, or gets the account if the key has no such scope. */
export function CurlSnippet({ apiKey: { scopes, keyPreview }, secret }: CurlSnippetProps) {
  const { origin } = window.location;
  const key = secret ?? keyPreview;
  const makesImages = scopes.includes('process');
  const request = makesImages
    ? toPlainText(makeFirstRequest(origin, key))
    : `curl ${origin}${v1Routes.v1Account.path} \\\n  -H "Authorization: Bearer ${key}"`;
  return (
    <div className="grid min-w-0 gap-1.5">
      <p className="text-sm">{makesImages ? text.image : text.account}</p>
      <CopyBlock code={request} label={text.copy} />
      {!makesImages && !scopes.includes('read') && <p className="text-muted text-xs">{text.noRead}</p>}
      {secret === undefined && <p className="text-muted text-xs">{text.preview(keyPreview)}</p>}
    </div>
  );
}
