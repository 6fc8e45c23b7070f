import { button, html } from '../presentation/pages/html.ts';
import { writePage } from '../presentation/pages/page.ts';
import type { Frame } from './frame.ts';

export const neverAskPage = (frame: Frame): string => {
  const { title, lead, button: label, otherwise } = frame.texts.neverAsk;
  return writePage(frame, title, html`<p>${lead}</p>${button(label)}<p class="quiet">${otherwise}</p>`);
};

export const neverAskedPage = (frame: Frame): string => {
  const { title, lead, otherwise } = frame.texts.neverAsked;
  return writePage(frame, title, html`<p>${lead}</p><p class="quiet">${otherwise}</p>`);
};
