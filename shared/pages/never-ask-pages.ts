import { button, html } from './html.ts';
import { writePage } from './page.ts';
import { texts } from './texts.ts';

export const neverAskPage = (): string =>
  writePage(
    texts.neverAsk.title,
    html`<p>${texts.neverAsk.lead}</p>${button(texts.neverAsk.button)}<p class="quiet">${texts.neverAsk.otherwise}</p>`,
  );

export const neverAskedPage = (): string =>
  writePage(
    texts.neverAsked.title,
    html`<p>${texts.neverAsked.lead}</p><p class="quiet">${texts.neverAsked.otherwise}</p>`,
  );
