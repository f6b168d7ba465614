import { useQuery } from '@tanstack/react-query';
import type { OpenApiDocument } from '@uprez/contracts/docs/openapi/open-api';
import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'react-router';
import { useStaticView } from '../../../ui/code/example-values.ts';
import { documentationMessages } from '../messages.ts';
import type { FieldGroup } from '../request-fields.ts';
import { RichText } from './rich-text.tsx';

const text = documentationMessages.fields;

export type Fact = {
  /** Unique within the list. */
  name: string;
  id?: string;
  /** Status or allowed values, shown below the name. */
  detail?: ReactNode;
  description: string;
};

export function FactList({ label, facts }: { label: string; facts: readonly Fact[] }) {
  const anchor = useLocation().hash.slice(1);
  return (
    <dl aria-label={label} className="grid text-sm">
      {facts.map(({ name, id, detail, description }) => (
        <div key={name} id={id} aria-current={id && id === anchor ? 'location' : undefined} className="fact">
          <dt className="min-w-0">
            <span className="fact-name">{name}</span>
            {detail && <span className="fact-detail">{detail}</span>}
          </dt>
          <dd className="min-w-0 text-pretty text-muted">
            <RichText>{description}</RichText>
          </dd>
        </div>
      ))}
    </dl>
  );
}

type FieldsProps = { title: string; find: (document: OpenApiDocument) => FieldGroup[] };

/** Loads the OpenAPI document when the user first opens the fields. */
function Groups({ find }: Pick<FieldsProps, 'find'>) {
  const { data, isError } = useQuery<OpenApiDocument>({ queryKey: [v1Routes.v1OpenApi.path] });
  if (!data) return <p className="pt-2 text-muted">{isError ? text.missing : text.loading}</p>;
  return find(data).map(({ place, fields }) => (
    <section key={place} className="pt-3">
      <h4 className="pb-1 font-medium text-xs">{text.places[place]}</h4>
      <FactList
        label={text.places[place]}
        facts={fields.map(({ name, isRequired, allowed, description }) => ({
          name,
          detail: [...(isRequired ? [text.required] : []), allowed].join(' · '),
          description,
        }))}
      />
    </section>
  ));
}

export function Fields({ title, find }: FieldsProps) {
  const [isOpen, setOpen] = useState(useStaticView() !== undefined);
  return (
    <details className="min-w-0 text-sm" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-muted hover:text-ink">{title}</summary>
      {isOpen && <Groups find={find} />}
    </details>
  );
}
