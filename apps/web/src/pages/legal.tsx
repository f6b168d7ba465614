import { termsVersion } from '@uprez/contracts/texts/terms';
import { type LegalSection, legalMessages as text } from '../features/legal/messages.ts';
import { contactSection, lawSections } from '../features/legal/owner-sections.ts';
import { useSite } from '../lib/api/queries.ts';
import { messages } from '../messages.ts';
import { PageHeading } from '../ui/layout/page-heading.tsx';

type LegalDocumentProps = { title: string; heading: string; sections: readonly LegalSection[] };

function LegalDocument({ title, heading, sections }: LegalDocumentProps) {
  return (
    <article className="mx-auto grid w-full max-w-180 gap-8 px-4 py-10 sm:px-6 md:py-16">
      <div className="grid gap-2">
        <PageHeading title={title} className="text-xl sm:text-2xl">
          {heading}
        </PageHeading>
        <p className="text-muted text-sm">{text.updated(termsVersion)}</p>
      </div>
      {sections.map(([name, ...sentences]) => (
        <section key={name} className="grid gap-2">
          <h2 className="text-base">{name}</h2>
          {sentences.map((sentence) => (
            <p key={sentence} className="text-muted">
              {sentence}
            </p>
          ))}
        </section>
      ))}
    </article>
  );
}

export function TermsPage() {
  const { data: site } = useSite();
  const sections = [...text.terms, ...(site ? [...lawSections(site), contactSection(site)] : [])];
  return <LegalDocument title={messages.page.terms} heading={messages.navigation.terms} sections={sections} />;
}

export function PrivacyPage() {
  const { data: site } = useSite();
  const sections = [...text.privacy, ...(site ? [contactSection(site)] : [])];
  return <LegalDocument title={messages.page.privacy} heading={messages.navigation.privacy} sections={sections} />;
}
