import type { Site } from '@uprez/contracts/schemas/admin/settings';
import { contactLinks, listContactChannels } from '@uprez/contracts/texts/site/contact';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useSite } from '../../lib/api/queries.ts';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeading } from '../../ui/layout/page-heading.tsx';
import { useAuth } from '../session/auth-provider.tsx';
import { ContactForm } from './contact-form.tsx';
import { contactMessages as text } from './messages.ts';

const linkStyle = 'rounded-control underline decoration-line underline-offset-4 hover:decoration-current';

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-3">
      <h2 className="text-base">{title}</h2>
      {children}
    </section>
  );
}

const Channels = ({ site }: { site: Site }) => (
  <ul className="grid gap-4">
    {listContactChannels(site).map(({ key, name, text: about, email }) => (
      <li key={key} className="grid gap-0.5 text-sm">
        <span className="font-medium">{name}</span>
        <span className="text-muted">{about}</span>
        <a href={`mailto:${email}`} className={`${linkStyle} justify-self-start wrap-anywhere`}>
          {email}
        </a>
      </li>
    ))}
  </ul>
);

function Facts({ site: { supportHours, company, companyAddress } }: { site: Site }) {
  const place = [company, companyAddress].filter(Boolean).join(', ');
  if (!supportHours && !companyAddress) return null;
  return (
    <Part title={text.facts}>
      <dl className="grid gap-3 text-sm">
        {supportHours && (
          <div>
            <dt className="font-medium">{text.hours}</dt>
            <dd className="text-muted">{supportHours}</dd>
          </div>
        )}
        {companyAddress && (
          <div>
            <dt className="font-medium">{text.place}</dt>
            <dd className="text-muted">{place}</dd>
          </div>
        )}
      </dl>
    </Part>
  );
}

export function ContactPage() {
  const { user } = useAuth();
  const { data: site } = useSite();
  return (
    <div className="mx-auto grid w-full max-w-300 gap-8 px-4 py-10 sm:px-6 md:py-16">
      <div className="grid gap-2">
        <PageHeading title={text.title} className="text-xl sm:text-2xl">
          {text.heading}
        </PageHeading>
        <p className="max-w-prose text-muted">{text.lead}</p>
      </div>
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)] lg:gap-12">
        <div className="grid content-start gap-8 max-lg:order-2 sm:max-lg:grid-cols-2">
          {site && (
            <>
              <Part title={text.channels}>
                <Channels site={site} />
              </Part>
              <Facts site={site} />
            </>
          )}
          <Part title={text.links}>
            <ul className="grid gap-2 text-sm">
              {contactLinks.map(({ label, to }) => (
                <li key={to}>
                  <Link to={to} className={linkStyle}>
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </Part>
        </div>
        <Card title={text.form} className="sm:p-7">
          <ContactForm key={user?.id} user={user} />
        </Card>
      </div>
    </div>
  );
}
