import type { SiteSettings } from '@uprez/contracts/schemas/admin/settings';
import { termsSlug } from '@uprez/contracts/texts/site/pages';

type Owner = Pick<
  SiteSettings,
  | 'company'
  | 'companyAddress'
  | 'supportEmail'
  | 'supportHours'
  | 'governingLaw'
  | 'liability'
  | 'legalBasis'
  | 'processors'
>;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string) => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character);
const linesOf = (text: string) => text.split('\n').flatMap((line) => line.trim() || []);

const renderHeading = (id: string, title: string) => `\n<h2 id="section-${id}">${title}</h2>\n`;
/** Returns an empty string if no lines are given, because a legal text must not have an empty section. */
const renderSection = (id: string, title: string, lines: readonly string[]) =>
  lines.length === 0 ? '' : renderHeading(id, title) + lines.map((line) => `<p>${escapeText(line)}</p>`).join('\n');
const renderListSection = (id: string, title: string, lines: readonly string[]) =>
  lines.length === 0
    ? ''
    : `${renderHeading(id, title)}<ul>\n${lines.map((line) => `<li>${escapeText(line)}</li>`).join('\n')}\n</ul>`;

/**
 * Returns HTML with the owner's details that a legal text needs from the settings, such as the company and contact
 * details. Omits unset details, which `listMissingFacts` lists.
 */
export function renderOwnerHtml(owner: Owner, slug: string): string {
  const { company, companyAddress, supportEmail, supportHours, governingLaw, liability, legalBasis, processors } =
    owner;
  const support = `Support: ${supportEmail}${supportHours && ` (${supportHours})`}`;
  const lines = [company, companyAddress].filter((line) => line !== '');
  const governed = governingLaw === '' ? [] : [`These terms are governed by the law of ${governingLaw}.`];
  const own =
    slug === termsSlug
      ? [
          renderSection('liability', 'Liability', linesOf(liability)),
          renderSection('governing-law', 'Governing law', governed),
        ]
      : [
          renderSection('legal-basis', 'Legal basis', linesOf(legalBasis)),
          renderListSection('processors', 'Processors', linesOf(processors)),
        ];
  return [...own, renderSection('contact', 'Contact', [...lines, support])].join('');
}
