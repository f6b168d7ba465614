import { render } from '@react-email/render';
import { Layout } from './layout.tsx';
import type { MailContent, MailFacts } from './mail-content.ts';

export const renderHtml = (content: MailContent, facts: MailFacts): Promise<string> =>
  render(<Layout content={content} facts={facts} />);
