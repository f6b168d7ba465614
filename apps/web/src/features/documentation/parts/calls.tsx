import { makeResponseExamples } from '@uprez/contracts/docs/openapi/examples';
import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { Link } from 'react-router';
import { JsonPanel } from '../../../ui/code/code-panel.tsx';
import { useExampleValues } from '../../../ui/code/example-values.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { documentationMessages as text } from '../messages.ts';
import { type Call, calls, listAliasPaths, parameters } from '../reference-data.ts';
import { fieldsOfCall } from '../request-fields.ts';
import { Fields } from './fact-list.tsx';
import { Paragraphs } from './rich-text.tsx';

const knownParameters: ReadonlySet<string> = new Set(parameters.map(({ name }) => name));

function Errors({ codes }: { codes: Call['errors'] }) {
  return (
    <details className="text-sm">
      <summary className="cursor-pointer text-muted hover:text-ink">{text.errors}</summary>
      <ul className="flex flex-wrap gap-x-3 gap-y-1 pt-2">
        {codes.map((code) => (
          <li key={code}>
            <Link to={`#${code}`} className="inline-code underline">
              {code}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}

export function ResponseExample({ name }: { name: 'v1GetJob' | 'v1Account' }) {
  const { address } = useExampleValues();
  const { method, path } = v1Routes[name];
  return <JsonPanel title={`${method} ${path.replace(':id', '{id}')}`} value={makeResponseExamples(address)[name]} />;
}

function CallPart({ call }: { call: Call }) {
  const { address } = useExampleValues();
  const exampleResponse = makeResponseExamples(address)[call.name];
  const aliases = listAliasPaths(call);
  return (
    <article
      id={call.name}
      aria-labelledby={`${call.name}-title`}
      className="grid scroll-mt-20 grid-cols-[minmax(0,1fr)] gap-3 border-line border-t pt-5"
    >
      <h3 id={`${call.name}-title`} className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1 font-mono text-sm">
        <span className="text-muted">{call.method}</span>
        <span className="min-w-0 tracking-normal wrap-anywhere">{call.path}</span>
        <Badge kind="neutral">
          <span className="font-sans tracking-normal">{call.scope ? text.scope(call.scope) : text.noKey}</span>
        </Badge>
      </h3>
      <Paragraphs text={`${call.summary}.${call.description ? `\n\n${call.description}` : ''}`} />
      {aliases.length > 0 && <Paragraphs text={text.aliasPaths(aliases)} />}
      {call.takesFields && (
        <Fields title={text.fields.title} find={(found) => fieldsOfCall(found, { ...call, known: knownParameters })} />
      )}
      {exampleResponse !== undefined && (
        <details className="group min-w-0 text-sm">
          <summary className="cursor-pointer text-muted hover:text-ink">{text.response}</summary>
          <div className="pt-2">
            <JsonPanel title={text.response} value={exampleResponse} />
          </div>
        </details>
      )}
      {call.errors.length > 0 && <Errors codes={call.errors} />}
    </article>
  );
}

export const Calls = ({ tag }: { tag: string }) =>
  calls.filter((call) => call.tag === tag).map((call) => <CallPart key={call.name} call={call} />);
