import { readChoice, storeChoice } from './choice.ts';
import { hasAnalytics, startAnalytics, stopAnalytics } from './google.ts';
import { consentMessages as text } from './messages.ts';

/** A script of its own, which the gateway adds to public pages while an ID of Google is set. */
const ids = document.querySelector<HTMLScriptElement>('script[data-consent]')?.dataset ?? {};

const style = {
  banner:
    'position:fixed;inset:auto 0 0;z-index:50;flex-wrap:wrap;gap:.75rem 1rem;align-items:center;justify-content:center;padding:1rem;background:var(--surface);color:var(--ink);border-top:1px solid var(--line);font-size:.875rem',
  button:
    'min-height:2.75rem;min-width:7rem;padding:0 1rem;border:1px solid var(--edge);border-radius:.375rem;background:var(--surface);color:var(--ink);font-weight:500',
  link: 'color:inherit;text-decoration:underline var(--line);text-underline-offset:4px',
};

function makeButton(label: string, look: string, onPress: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = label;
  button.style.cssText = look;
  button.addEventListener('click', onPress);
  return button;
}

/** Asks for consent. Both answers look the same. */
function showBanner(): void {
  document.querySelector('[data-consent-banner]')?.remove();
  const banner = document.createElement('section');
  banner.dataset.consentBanner = '';
  banner.setAttribute('aria-label', text.title);
  banner.style.cssText = style.banner;
  const question = document.createElement('p');
  question.textContent = text.question;
  question.style.maxWidth = '40rem';
  const answer = (isAccepted: boolean) => () => {
    const mayHaveCookies = hasAnalytics() || readChoice() === 'accepted';
    storeChoice(isAccepted);
    banner.remove();
    if (isAccepted) startAnalytics(ids);
    else if (mayHaveCookies) stopAnalytics();
  };
  banner.append(
    question,
    makeButton(text.decline, style.button, answer(false)),
    makeButton(text.accept, style.button, answer(true)),
  );
  document.body.append(banner);
}

const item = document.createElement('li');
item.append(makeButton(text.settings, style.link, showBanner));

/** Adds the link to the footer, which the app renders, and may render again. */
function placeLink(): void {
  const list = document.querySelector('footer nav ul');
  if (list && item.parentElement !== list) list.append(item);
}

if (ids.analytics || ids.tagManager) {
  const isRefused = (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true;
  const choice = readChoice();
  if (!isRefused) {
    new MutationObserver(placeLink).observe(document.body, { childList: true, subtree: true });
    placeLink();
    if (choice === 'accepted') startAnalytics(ids);
    else if (choice === undefined) showBanner();
  }
}
