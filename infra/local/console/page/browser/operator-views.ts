import type { JournalPage, JournalRow } from '../../../../../shared/domain/journal/journal-row.ts';
import type { HealthLine, OperatorState, QueueDepth, ShownAlarm, ShownImport } from '../state.ts';
import { requestConsole } from './api.ts';
import { openDialog } from './dialog.ts';
import { button, byId, element } from './element.ts';
import { createForm, defineForm } from './form.ts';
import { badge, breakable, formatCount, moment } from './format.ts';
import { createRowList } from './render-rows.ts';

function queueRow({ name, carries, dead, ...depths }: QueueDepth): HTMLElement {
  const cell = (count: number, isBad = false): HTMLElement =>
    element('td', { class: count === 0 ? 'number quiet' : isBad ? 'number bad' : 'number' }, formatCount(count));
  return element(
    'tr',
    {},
    element(
      'th',
      { scope: 'row' },
      element('strong', {}, ...breakable(name, /(?=[A-Z])/)),
      element('span', { class: 'quiet' }, carries),
    ),
    cell(depths.waiting),
    cell(depths.inFlight),
    cell(depths.delayed),
    cell(dead, true),
  );
}

const emptyQueueRow = ({ name, carries }: QueueDepth): HTMLElement =>
  element('li', {}, element('strong', {}, name), element('span', { class: 'quiet' }, carries));

const isEmpty = ({ waiting, inFlight, delayed, dead }: QueueDepth): boolean =>
  waiting + inFlight + delayed + dead === 0;

const importTones = { waiting: 'idle', checking: 'idle', applying: 'idle', ended: 'good' } as const;

function importRow({ file, at, state, progress, lines, applied, rejected, problem }: ShownImport): HTMLElement {
  const counts = `lines: ${formatCount(lines)}, applied: ${formatCount(applied)}`;
  return element(
    'li',
    {},
    element(
      'div',
      { class: 'what' },
      element('strong', {}, element('bdi', {}, file)),
      element('span', { class: 'quiet' }, moment(at), ' · ', element('bdi', {}, problem ?? counts)),
    ),
    state !== 'ended' &&
      element('progress', { max: '1', value: String(progress), 'aria-label': `Progress of ${file}` }),
    rejected > 0 && badge(`${formatCount(rejected)} rejected`, 'bad'),
    badge(state, problem === undefined ? importTones[state] : 'bad'),
  );
}

const alarmBadges = { ALARM: ['alarm', 'bad'], INSUFFICIENT_DATA: ['no data', 'idle'], OK: ['OK', 'good'] } as const;

function alarmRow({ title, about, state, since }: ShownAlarm): HTMLElement {
  const [word, tone] = alarmBadges[state];
  // The runbook is plain text without anchors, so the browser searches for the heading.
  const href = `/console/runbook#:~:text=${encodeURIComponent(`## ${title}`)}`;
  return element(
    'li',
    {},
    element(
      'div',
      { class: 'what' },
      element('a', { href }, title),
      element('span', { class: 'quiet' }, about),
      element('span', { class: 'quiet' }, 'since ', moment(since)),
    ),
    badge(word, tone),
  );
}

const healthRow = ({ name, text, isGood }: HealthLine): HTMLElement =>
  element('li', {}, element('strong', {}, name), badge(text, isGood ? 'good' : 'bad'));

const journalTexts = ({ names, by, doctype, event, topic, purpose }: JournalRow): string =>
  [
    names && names.length > 0 && `attributes ${names.join(', ')}`,
    by && by.length > 0 && `found by ${by.join(', ')}`,
    doctype && `document ${doctype}`,
    event && `event ${event}`,
    topic && `topic ${topic}`,
    purpose && `purpose: ${purpose}`,
  ]
    .filter((text) => typeof text === 'string' && text !== '')
    .join(' · ');

function journalItem(row: JournalRow): HTMLElement {
  const { at, operation, caller } = row;
  return element(
    'li',
    {},
    element('span', { class: 'quiet' }, moment(at)),
    element('strong', {}, operation),
    element('span', {}, element('bdi', {}, caller === '' ? 'unknown caller' : caller)),
    element('span', { class: 'quiet' }, element('bdi', {}, journalTexts(row))),
  );
}

function openJournal(uin: string, purpose: string): void {
  const asked = { uin, ...(purpose !== '' && { purpose }) };
  const rows: JournalRow[] = [];
  let next: string | undefined;

  async function readPage(): Promise<void> {
    const cursor = next === undefined ? {} : { cursor: next };
    const page = await requestConsole<JournalPage>('POST', 'journal', { ...asked, ...cursor });
    rows.push(...page.rows);
    next = page.next;
  }
  async function load(refresh: () => Promise<void>): Promise<Node[]> {
    await readPage();
    if (rows.length === 0) return [element('p', {}, 'The journal has no rows about this person.')];
    const list = element('ul', { class: 'lines' }, ...rows.map(journalItem));
    return next === undefined ? [list] : [list, button('Show later rows', refresh)];
  }
  openDialog({ title: `Access journal of ${uin}`, subjectId: '', load });
}

const journalForm = () =>
  defineForm({
    fields: {
      uin: { label: 'UIN', isRequired: true },
      purpose: { label: 'Purpose', hint: 'The reason why you are reading the journal.' },
    },
    submit: 'Read journal',
    async send({ uin, purpose }) {
      openJournal(uin.trim(), purpose.trim());
      return '';
    },
  });

/**
 * Returns a function that shows the state of the deployment. Without access to AWS, the function hides this part of the
 * page.
 */
export function createOperatorView(): (state: OperatorState | { readonly problem: string } | undefined) => void {
  const none = (text: string) => element('li', { class: 'empty' }, text);
  const showQueues = createRowList<QueueDepth>(byId('queues'), ({ name }) => name, queueRow, element('tr'));
  const showEmpty = createRowList<QueueDepth>(byId('empty-queues'), ({ name }) => name, emptyQueueRow, none('None.'));
  const showImports = createRowList<ShownImport>(
    byId('imports'),
    ({ file, at }) => `${file} ${at}`,
    importRow,
    none('No import files.'),
  );
  const nameOf = ({ name }: ShownAlarm) => name;
  const showAlarms = createRowList<ShownAlarm>(byId('alarms'), nameOf, alarmRow, none('No alarm needs attention.'));
  const showOk = createRowList<ShownAlarm>(byId('ok-alarms'), nameOf, alarmRow, none('None.'));
  const showHealth = createRowList<HealthLine>(byId('health'), ({ name }) => name, healthRow, element('li'));
  byId('journal').append(createForm(journalForm()));
  return (state) => {
    byId('operator').hidden = state === undefined;
    const problem = state !== undefined && 'problem' in state ? `AWS cannot be read: ${state.problem}` : '';
    if (byId('operator-problem').textContent !== problem) byId('operator-problem').textContent = problem;
    for (const column of byId('operator').querySelectorAll<HTMLElement>('.column')) column.hidden = problem !== '';
    if (state === undefined || 'problem' in state) return;
    const { alarms, queues, imports, health } = state;
    const ok = alarms.filter((alarm) => alarm.state === 'OK');
    showAlarms(alarms.filter((alarm) => !ok.includes(alarm)));
    showOk(ok);
    byId('ok-count').textContent = `Alarms in state OK: ${ok.length}`;
    byId('alarms-section').hidden = alarms.length === 0;
    const used = queues.filter((queue) => !isEmpty(queue));
    const empty = queues.filter(isEmpty);
    showQueues(used);
    byId('queues-table').hidden = used.length === 0;
    showEmpty(empty);
    byId('empty-count').textContent = `Empty queues: ${empty.length}`;
    showImports(imports);
    showHealth(health);
    byId('health-section').hidden = health.length === 0;
  };
}
