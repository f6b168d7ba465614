import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { useRef } from 'react';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { apiKeysMessages } from './messages.ts';
import { sampleRequest } from './sample-request.ts';

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
