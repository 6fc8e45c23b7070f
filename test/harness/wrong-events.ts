import type { EventType } from '../../shared/domain/topics/event.ts';

/** One valid event with all fields for each event type in OSIA notification 1.2.0. */
const goodEvents: Readonly<Record<EventType, Readonly<Record<string, unknown>>>> = {
  liveBirth: { source: 'CRVS', uin: '1', uin1: '2', uin2: '3' },
  death: { source: 'CRVS', uin: '1' },
  birthCancellation: { source: 'CRVS', uin: '1' },
  foetalDeath: { source: 'CRVS', uin: '1' },
  marriage: { source: 'CRVS', uin1: '1', uin2: '2' },
  divorce: { source: 'CRVS', uin1: '1', uin2: '2' },
  annulment: { source: 'CRVS', uin1: '1', uin2: '2' },
  separation: { source: 'CRVS', uin1: '1', uin2: '2' },
  adoption: { source: 'CRVS', uin: '1', uin1: '2', uin2: '3' },
  legitimation: { source: 'CRVS', uin: '1', uin1: '2', uin2: '3' },
  recognition: { source: 'CRVS', uin: '1', uin1: '2', uin2: '3' },
  changeOfName: { source: 'CRVS', uin: '1' },
  changeOfGender: { source: 'CRVS', uin: '1' },
  updatePerson: { source: 'CRVS', uin: '1' },
  newPerson: { source: 'CRVS', uin: '1' },
  duplicatePerson: { source: 'CRVS', uin: '1', duplicates: ['2', '3'] },
};

const mayBeMissing: Readonly<Record<string, readonly string[]>> = {
  liveBirth: ['uin1', 'uin2'],
  adoption: ['uin2'],
  legitimation: ['uin2'],
  recognition: ['uin2'],
};

interface WrongEvent {
  readonly type: string;
  readonly field: string;
  readonly body: string;
}

function* spoil(type: string, event: Readonly<Record<string, unknown>>): Generator<WrongEvent> {
  for (const field of Object.keys(event)) {
    const isOptional = mayBeMissing[type]?.includes(field) ?? false;
    const wrong = [17, ['1'], {}, ...(isOptional ? [] : ['', null, undefined])];
    const fits = (value: unknown) => field === 'duplicates' && Array.isArray(value);
    for (const value of wrong) {
      if (!fits(value)) yield { type, field, body: JSON.stringify({ ...event, [field]: value }) };
    }
  }
}

/**
 * Invalid bodies for each event type: every field missing, empty or with a wrong type, and bodies that are not objects.
 */
export const wrongEvents: readonly WrongEvent[] = [
  ...Object.entries(goodEvents).flatMap(([type, event]) => [...spoil(type, event)]),
  ...['text', '[]', '"text"', '7', 'null'].map((body) => ({ type: 'death', field: 'body', body })),
  { type: 'duplicatePerson', field: 'duplicates', body: '{"source":"CRVS","uin":"1","duplicates":[]}' },
  { type: 'duplicatePerson', field: 'duplicates.1', body: '{"source":"CRVS","uin":"1","duplicates":["2",3]}' },
];
