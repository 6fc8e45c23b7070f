import { button, byId, element } from './element.ts';

interface Look {
  readonly title: string;
  /** What there is to see; asked again by `again`, and where something has happened to what the look is about. */
  readonly fill: (again: () => Promise<void>) => Promise<readonly Node[]>;
  /** The message or subscription that it is about. */
  readonly about: string;
}

let shown: { readonly about: string; readonly refill: () => Promise<void> } | undefined;

const labelOf = (button: Element): string => button.getAttribute('aria-label') ?? button.textContent;

/** Puts other content in the place of what is there; a button that is there again keeps the focus. */
function replace(body: HTMLElement, content: readonly Node[], otherwise: HTMLElement): void {
  const focused = body.contains(document.activeElement) ? document.activeElement : null;
  body.replaceChildren(...content);
  if (focused === null) return;
  const same = [...body.querySelectorAll('button')].find((one) => labelOf(one) === labelOf(focused));
  (same ?? otherwise).focus();
}

/** Makes what fills a look: of two that are under way the later counts. */
function filling({ fill }: Look, body: HTMLElement, close: HTMLElement): () => Promise<void> {
  let latest = 0;
  return async function again() {
    latest += 1;
    const mine = latest;
    const content = await fill(again).catch((error: unknown) => [
      element('p', { role: 'alert' }, error instanceof Error ? error.message : String(error)),
    ]);
    if (mine !== latest) return;
    replace(body, content, close);
    body.removeAttribute('aria-busy');
  };
}

/** Opens a look into something. It closes by its button, by Esc or by a press beside it, and the focus goes back. */
export function openLook(look: Look): void {
  const dialog = byId('look') as HTMLDialogElement;
  const body = element('div', { class: 'body', 'aria-busy': 'true' }, element('p', {}, 'One moment …'));
  const close = button('Close', () => dialog.close(), { class: 'quiet' });
  const heading = element('h2', { id: 'look-title' }, look.title);
  dialog.replaceChildren(element('header', {}, heading, close), body, element('p', { class: 'said', role: 'status' }));
  dialog.onclick = ({ target }) => {
    if (target === dialog) dialog.close();
  };
  const refill = filling(look, body, close);
  dialog.addEventListener('close', () => (shown = undefined), { once: true });
  shown = { about: look.about, refill };
  dialog.showModal();
  void refill();
}

/** Something has happened to these messages or subscriptions: a look into one of them is filled anew. */
export function happenedTo(ids: ReadonlySet<string>): void {
  if (shown !== undefined && ids.has(shown.about)) void shown.refill();
}
