import type { Site } from '@uprez/contracts/schemas/settings';
import { type LegalSection, legalMessages } from './messages.ts';

const { owner: text } = legalMessages;

/** Who runs the site and how to reach them, as far as its owner entered it. */
export const contactSection = ({ company, companyAddress, supportEmail, supportHours }: Site): LegalSection => [
  text.contact,
  ...[company, companyAddress].filter((line) => line !== ''),
  text.support(supportEmail, supportHours),
];

/** The law that applies to the terms, if the owner entered it. */
export const lawSections = ({ governingLaw }: Site): LegalSection[] =>
  governingLaw === '' ? [] : [[text.law, text.governedBy(governingLaw)]];
