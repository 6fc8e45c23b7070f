interface Kept {
  readonly text: string;
  readonly element: HTMLElement;
}

/** What is focused, by its place among what can be. */
const focusable = 'a[href], button';

/**
 * Makes what shows rows in a parent, by their keys: a row that says the same stays the element that it is, so that neither
 * the focus nor a selection is lost to news. `none` is what stands there while there are no rows.
 */
export function keep<Row>(
  parent: HTMLElement,
  keyOf: (row: Row) => string,
  build: (row: Row) => HTMLElement,
  none: HTMLElement,
): (rows: readonly Row[]) => void {
  let kept = new Map<string, Kept>();

  function elementOf(row: Row): Kept {
    const [before, text] = [kept.get(keyOf(row)), JSON.stringify(row)];
    if (before?.text === text) return before;
    const element = build(row);
    const active = document.activeElement;
    if (before !== undefined && active !== null && before.element.contains(active)) {
      const place = [...before.element.querySelectorAll(focusable)].indexOf(active);
      queueMicrotask(() => element.querySelectorAll<HTMLElement>(focusable)[place]?.focus());
    }
    return { text, element };
  }

  return (rows) => {
    kept = new Map(rows.map((row) => [keyOf(row), elementOf(row)]));
    const wanted: HTMLElement[] = rows.length === 0 ? [none] : [...kept.values()].map(({ element }) => element);
    for (const child of [...parent.children]) if (!wanted.includes(child as HTMLElement)) child.remove();
    // What stands where it should is not touched: moved, it would lose the focus.
    for (const [index, child] of wanted.entries()) {
      if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
    }
  };
}
