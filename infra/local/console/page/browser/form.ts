import { openDialog } from './dialog.ts';
import { announceResult, button, element, runOnce } from './element.ts';

interface Field {
  readonly label: string;
  readonly value?: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** The labels of a drop-down list, keyed by their values. */
  readonly options?: ReadonlyMap<string, string>;
}

type Fields = Readonly<Record<string, Field>>;

interface Form<F extends Fields> {
  readonly fields: F;
  readonly submit: string;
  /** Returns the text to announce. */
  readonly send: (values: Readonly<Record<keyof F, string>>) => Promise<string>;
}

/** Returns the form unchanged, but with a type that contains the names of the fields. */
export const defineForm = <const F extends Fields>(form: Form<F>): Form<F> => form;

function control(name: string, { value = '', isRequired, options, hint }: Field, id: string) {
  const attributes = { id, name, required: isRequired, 'aria-describedby': hint && `${id}-hint` };
  if (options === undefined) return element('input', { ...attributes, value, autocomplete: 'off', dir: 'auto' });
  const choices = [...options].map(([key, text]) => element('option', { value: key, selected: key === value }, text));
  return element('select', attributes, ...choices);
}

/** Creates a form whose fields have visible labels. Pressing Return in a field submits the form. */
export function createForm<F extends Fields>({ fields, submit, send }: Form<F>): HTMLFormElement {
  const rows = Object.entries(fields).map(([name, field]) => {
    const id = `field-${submit.replace(/\W/g, '-')}-${name}`;
    return element(
      'p',
      { class: 'field' },
      element('label', { for: id }, field.label),
      control(name, field, id),
      field.hint !== undefined && element('span', { class: 'quiet', id: `${id}-hint` }, element('bdi', {}, field.hint)),
    );
  });
  const sending = element('button', { type: 'submit' }, submit);
  const form = element('form', {}, ...rows, element('p', { class: 'row' }, sending));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(form)) as Readonly<Record<keyof F, string>>;
    void runOnce(sending, () => announceResult(() => send(values)));
  });
  return form;
}

/**
 * Creates a button that opens a form in a dialog. The form stays open, so that the user can submit it several times.
 */
export function formButton<F extends Fields>(label: string, makeForm: () => Form<F>): HTMLButtonElement {
  async function load(): Promise<Node[]> {
    const form = createForm(makeForm());
    // Waits for the next frame, because a field cannot receive focus until the dialog shows the form.
    requestAnimationFrame(() => form.querySelector<HTMLElement>('input, select')?.focus());
    return [form];
  }
  return button(label, () => openDialog({ title: label, subjectId: '', load }), { 'aria-haspopup': 'dialog' });
}
