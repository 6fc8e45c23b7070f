import { button, byId, element } from './element.ts';

interface Look {
  readonly title: string;
  /** Fills the look, and again where something has happened to what it is about. */
  readonly fill: (body: HTMLElement) => Promise<void>;
  /** The message or subscription that it is about. */
  readonly about: string;
}

let shown: { readonly about: string; readonly refill: () => void } | undefined;

async function fillNow({ fill }: Look, body: HTMLElement): Promise<void> {
  try {
    await fill(body);
  } catch (error) {
    body.replaceChildren(element('p', { role: 'alert' }, error instanceof Error ? error.message : String(error)));
  }
  body.removeAttribute('aria-busy');
}

/** Opens a look into something. It closes by its button, by Esc or by a press beside it, and the focus goes back. */
export function openLook(look: Look): void {
  const dialog = byId('look') as HTMLDialogElement;
  const body = element('div', { class: 'body', 'aria-busy': 'true' }, element('p', {}, 'One moment …'));
  const close = button('Close', () => dialog.close(), { class: 'quiet' });
  const heading = element('h2', { id: 'look-title' }, look.title);
  dialog.replaceChildren(element('header', {}, heading, close), body, element('p', { class: 'said', role: 'status' }));
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  const refill = (): void => void fillNow(look, body);
  dialog.addEventListener('close', () => (shown = undefined), { once: true });
  shown = { about: look.about, refill };
  dialog.showModal();
  refill();
}

/** Something has happened to these messages or subscriptions: a look into one of them is filled anew. */
export function happenedTo(ids: ReadonlySet<string>): void {
  if (shown !== undefined && ids.has(shown.about)) shown.refill();
}
