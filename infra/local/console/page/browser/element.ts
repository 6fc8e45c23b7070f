type Child = Node | string | undefined | false;

interface Attributes {
  readonly [name: string]: string | boolean | undefined;
}

/**
 * Creates an element. Strings always become text nodes and never markup, because they may come from API clients. Omits
 * attributes that are undefined or false.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) created.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children) {
    if (child !== undefined && child !== false) created.append(child);
  }
  return created;
}

/** Runs a button's action. Until the action ends, the button ignores clicks but keeps the focus. */
export async function runOnce(pressed: HTMLButtonElement, action: () => unknown): Promise<void> {
  if (pressed.getAttribute('aria-disabled') === 'true') return;
  pressed.setAttribute('aria-disabled', 'true');
  try {
    await action();
  } finally {
    pressed.removeAttribute('aria-disabled');
  }
}

export function button(label: string, onPress: () => unknown, attributes: Attributes = {}): HTMLButtonElement {
  const created = element('button', { type: 'button', ...attributes }, label);
  created.addEventListener('click', () => void runOnce(created, onPress));
  return created;
}

/** @throws Error if the page has no element with this id */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

/**
 * Shows a message, which screen readers announce. If a dialog is open, the message appears in the dialog, because the
 * rest of the page is inert.
 */
function announce(text: string): void {
  const notice = document.querySelector('dialog[open] .notice') ?? document.querySelector('body > .notice');
  if (notice !== null) notice.textContent = text;
}

/** Runs an action, and announces the text that it returns or the error. */
export async function announceResult(action: () => Promise<string>): Promise<void> {
  try {
    announce(await action());
  } catch (error) {
    announce(`Something went wrong: ${error instanceof Error ? error.message : String(error)}`);
  }
}
