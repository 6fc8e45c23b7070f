import { button, byId, element } from './element.ts';
import { addressText } from './format.ts';

interface DialogOptions {
  readonly title: string;
  /**
   * Loads the content of the dialog. Called again by `refresh`, and after each new attempt that concerns the dialog's
   * subject.
   */
  readonly load: (refresh: () => Promise<void>) => Promise<readonly Node[]>;
  readonly subjectId: string;
}

let open: { readonly subjectId: string; readonly refresh: () => Promise<void> } | undefined;

const labelOf = (button: Element): string => button.getAttribute('aria-label') ?? button.textContent;

/**
 * Replaces the content. The focus moves to the new button with the same label as the focused button, or else to
 * `fallback`.
 */
function replaceContent(body: HTMLElement, content: readonly Node[], fallback: HTMLElement): void {
  const focused = body.contains(document.activeElement) ? document.activeElement : null;
  body.replaceChildren(...content);
  if (focused === null) return;
  const same = [...body.querySelectorAll('button')].find((one) => labelOf(one) === labelOf(focused));
  (same ?? fallback).focus();
}

/** Returns a function that loads and shows the dialog's content. If calls overlap, only the content of the last call is shown. */
function createRefresh({ load }: DialogOptions, body: HTMLElement, close: HTMLElement): () => Promise<void> {
  let latest = 0;
  return async function refresh() {
    latest += 1;
    const current = latest;
    const content = await load(refresh).catch((error: unknown) => [
      element('p', { role: 'alert' }, error instanceof Error ? error.message : String(error)),
    ]);
    if (current !== latest) return;
    replaceContent(body, content, close);
    body.removeAttribute('aria-busy');
  };
}

/**
 * Opens a modal dialog. The user closes the dialog with the close button, the Esc key or a click outside the dialog.
 */
export function openDialog(options: DialogOptions): void {
  const dialog = byId('details') as HTMLDialogElement;
  const body = element('div', { class: 'body', 'aria-busy': 'true' }, element('p', {}, 'Loading …'));
  const close = button('Close', () => dialog.close(), { class: 'quiet' });
  const heading = element('h2', { id: 'details-title' }, addressText(options.title));
  const notice = element('p', { class: 'notice', role: 'status' });
  dialog.replaceChildren(element('header', {}, heading, close), body, notice);
  dialog.onclick = ({ target }) => {
    if (target === dialog) dialog.close();
  };
  const refresh = createRefresh(options, body, close);
  const forget = () => {
    open = undefined;
    dialog.replaceChildren();
  };
  dialog.addEventListener('close', forget, { once: true });
  open = { subjectId: options.subjectId, refresh };
  dialog.showModal();
  void refresh();
}

/** Refreshes the open dialog if it shows one of the given messages or subscriptions and has no open form. */
export function refreshDialog(ids: ReadonlySet<string>): void {
  if (open === undefined || !ids.has(open.subjectId)) return;
  if (byId('details').querySelector('details[open]') === null) void open.refresh();
}
