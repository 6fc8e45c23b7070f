interface RenderedRow {
  readonly text: string;
  readonly element: HTMLElement;
}

const focusable = 'a[href], button';

/**
 * Returns a function that renders rows into a parent element. Unchanged rows keep their elements, so that updates
 * preserve the focus and the selection.
 * @param empty the element that is shown if there are no rows
 */
export function createRowList<Row>(
  parent: HTMLElement,
  keyOf: (row: Row) => string,
  render: (row: Row) => HTMLElement,
  empty: HTMLElement,
): (rows: readonly Row[]) => void {
  let rendered = new Map<string, RenderedRow>();

  function renderRow(row: Row): RenderedRow {
    const [before, text] = [rendered.get(keyOf(row)), JSON.stringify(row)];
    if (before?.text === text) return before;
    const element = render(row);
    const active = document.activeElement;
    if (before !== undefined && active !== null && before.element.contains(active)) {
      const index = [...before.element.querySelectorAll(focusable)].indexOf(active);
      queueMicrotask(() => element.querySelectorAll<HTMLElement>(focusable)[index]?.focus());
    }
    return { text, element };
  }

  return (rows) => {
    rendered = new Map(rows.map((row) => [keyOf(row), renderRow(row)]));
    const wanted: HTMLElement[] = rows.length === 0 ? [empty] : [...rendered.values()].map(({ element }) => element);
    for (const child of [...parent.children]) if (!wanted.includes(child as HTMLElement)) child.remove();
    // Moves only elements that are in the wrong place, because an element loses focus when it is moved.
    for (const [index, child] of wanted.entries()) {
      if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
    }
  };
}
