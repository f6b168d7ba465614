import { routes } from '@uprez/contracts/endpoints/routes';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { useRef } from 'react';
import { makeFirstRequest } from '../../ui/code/first-request.ts';
import { toPlainText } from '../../ui/code/lines.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { apiKeysMessages } from './messages.ts';

/** A curl request that tests a key: it processes an image, or gets the account if the key has no such scope. */
const sampleRequest = ({ scopes }: Pick<ApiKeyView, 'scopes'>, origin: string, key: string): string =>
  scopes.includes('process')
    ? toPlainText(makeFirstRequest(origin, key))
    : `curl ${origin}${routes.v1Account.path} \\\n  -H "Authorization: Bearer ${key}"`;

const text = apiKeysMessages.sample;

type CurlSnippetProps = { apiKey: ApiKeyView /** The full key, if it is known. */; secret?: string };

/** A sample request with the key or its preview. */
export function CurlSnippet({ apiKey, secret }: CurlSnippetProps) {
  const code = useRef<HTMLElement>(null);
  const request = sampleRequest(apiKey, window.location.origin, secret ?? apiKey.keyPreview);
  const makesImages = apiKey.scopes.includes('process');
  return (
    <div className="grid min-w-0 gap-1.5">
      <p className="text-sm">{makesImages ? text.image : text.account}</p>
      <div className="flex items-start gap-2 rounded-control bg-sunken py-1 pr-1 pl-3">
        <pre className="min-w-0 flex-1 py-1.5 text-xs whitespace-pre-wrap wrap-anywhere">
          <code ref={code}>{request}</code>
        </pre>
        <CopyButton text={request} label={text.copy} source={code} />
      </div>
      {!makesImages && !apiKey.scopes.includes('read') && <p className="text-muted text-xs">{text.noRead}</p>}
      {secret === undefined && <p className="text-muted text-xs">{text.preview}</p>}
    </div>
  );
}
