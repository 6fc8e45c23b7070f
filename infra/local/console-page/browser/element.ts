type Child = Node | string | undefined | false;

interface Attributes {
  readonly [name: string]: string | boolean | undefined;
}

/**
 * Makes an element. Text becomes a text node, never markup: what others wrote is shown as they wrote it. An attribute that
 * is undefined or false is left out.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children) {
    if (child !== undefined && child !== false) made.append(child);
  }
  return made;
}

/** A button. While what it does is under way it is not pressed again; it keeps the focus. */
export function button(label: string, press: () => unknown, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', async () => {
    if (made.getAttribute('aria-disabled') === 'true') return;
    made.setAttribute('aria-disabled', 'true');
    try {
      await press();
    } finally {
      made.removeAttribute('aria-disabled');
    }
  });
  return made;
}

/** The element of the page with this id. @throws where there is none */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}
