import { render } from '@react-email/render';
import { createElement } from 'react';
import { Layout } from './layout.ts';
import type { MailContent, MailFacts } from './mail-content.ts';

export const renderHtml = (content: MailContent, facts: MailFacts): Promise<string> =>
  render(createElement(Layout, { content, facts }));
