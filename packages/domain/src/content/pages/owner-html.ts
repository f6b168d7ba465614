import type { SiteSettings } from '@uprez/contracts/schemas/settings';

type Owner = Pick<
  SiteSettings,
  'company' | 'companyAddress' | 'supportEmail' | 'supportHours' | 'governingLaw' | 'siteName'
>;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string) => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character);

const section = (id: string, title: string, lines: readonly string[]) =>
  `\n<h2 id="section-${id}">${title}</h2>\n${lines.map((line) => `<p>${escapeText(line)}</p>`).join('\n')}`;

/** Who runs the site, how to reach them, and for the terms the law that applies, as far as the settings have it. */
export function ownerHtml(owner: Owner, { law }: { law: boolean }): string {
  const { company, companyAddress, supportEmail, supportHours, governingLaw } = owner;
  const support = `Support: ${supportEmail}${supportHours && ` (${supportHours})`}`;
  const lines = [company, companyAddress].filter((line) => line !== '');
  const governed = [`These terms are governed by the law of ${governingLaw}.`];
  return [
    law && governingLaw !== '' ? section('governing-law', 'Governing law', governed) : '',
    section('contact', 'Contact', [...lines, support]),
  ].join('');
}
