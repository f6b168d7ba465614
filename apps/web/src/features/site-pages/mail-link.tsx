import { useSite } from '../../lib/api/queries.ts';
import { buttonStyle } from '../../ui/controls/button.tsx';

type MailLinkProps = { label: string; subject?: string };

/** Also shows the address as text, for users without an email program. */
export function MailLink({ label, subject }: MailLinkProps) {
  const { data: site } = useSite();
  if (!site) return null;
  const { contactEmail } = site;
  const query = subject ? `?subject=${encodeURIComponent(subject)}` : '';
  return (
    <p className="flex flex-wrap items-center gap-3">
      <a href={`mailto:${contactEmail}${query}`} className={buttonStyle()}>
        {label}
      </a>
      <span className="text-muted text-sm wrap-anywhere">{contactEmail}</span>
    </p>
  );
}
