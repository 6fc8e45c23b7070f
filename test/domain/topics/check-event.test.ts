import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkEvent, isDeeperThan, isJson } from '../../../shared/domain/topics/check-event.ts';
import { type EventType, eventTypes } from '../../../shared/domain/topics/event.ts';
import { clientErrorOf } from '../../harness/client-error.ts';

// The events of OSIA notification 1.2.0 with their required fields. The list is copied manually, so that the test
// compares the code with the standard.
const required = {
  liveBirth: ['uin'],
  death: ['uin'],
  birthCancellation: ['uin'],
  foetalDeath: ['uin'],
  marriage: ['uin1', 'uin2'],
  divorce: ['uin1', 'uin2'],
  annulment: ['uin1', 'uin2'],
  separation: ['uin1', 'uin2'],
  adoption: ['uin', 'uin1'],
  legitimation: ['uin', 'uin1'],
  recognition: ['uin', 'uin1'],
  changeOfName: ['uin'],
  changeOfGender: ['uin'],
  updatePerson: ['uin'],
  newPerson: ['uin'],
  duplicatePerson: ['uin', 'duplicates'],
} satisfies Record<EventType, string[]>;

const optional = {
  liveBirth: ['uin1', 'uin2'],
  adoption: ['uin2'],
  legitimation: ['uin2'],
  recognition: ['uin2'],
} satisfies Partial<Record<EventType, string[]>>;

const sampleOf = (field: string) => (field === 'duplicates' ? ['100', '200'] : `${field}-4711`);
const anEvent = (type: EventType): Record<string, unknown> =>
  Object.fromEntries(['source', ...required[type]].map((field) => [field, sampleOf(field)]));
const check = (type: string, body: unknown) => checkEvent(type, 'CR', JSON.stringify(body));

const fieldsOf = (list: Partial<Record<EventType, string[]>>) =>
  Object.entries(list).flatMap(([type, names]) => names.map((name) => [type as EventType, name] as const));
const requiredFields = fieldsOf(required).concat(eventTypes.map((type) => [type, 'source'] as const));

describe('checkEvent', () => {
  it('checkEvent supports the 16 event types of OSIA section 6', () => {
    expect(eventTypes.toSorted()).toEqual(Object.keys(required).toSorted());
    expect(eventTypes).toHaveLength(16);
  });

  it.each(eventTypes)('checkEvent accepts %s with its required fields and additional keys', (type) => {
    expect(() => check(type, anEvent(type))).not.toThrow();
    expect(() =>
      check(type, { ...anEvent(type), transactionId: 't', enrollmentId: 7, nested: { a: [] } }),
    ).not.toThrow();
  });

  it.each(requiredFields)('checkEvent rejects %s without %s and names the missing field', async (type, field) => {
    const { [field]: _left, ...rest } = anEvent(type);
    const refusal = await clientErrorOf(() => check(type, rest));
    expect(refusal.errorName).toBe('invalidEvent');
    expect(refusal.message).toMatch(new RegExp(`^${type}: ${field} `));
  });

  it.each(requiredFields)(
    'checkEvent rejects %s if %s is empty, a number or null, and names the invalid field',
    async (type, field) => {
      for (const value of [field === 'duplicates' ? [] : '', 4711, null]) {
        const refusal = await clientErrorOf(() => check(type, { ...anEvent(type), [field]: value }));
        expect(refusal.message).toMatch(new RegExp(`^${type}: ${field} `));
      }
    },
  );

  it.each(fieldsOf(optional))(
    'checkEvent accepts %s if the optional %s is empty, null or missing, but not if it is a number',
    async (type, field) => {
      expect(() => check(type, { ...anEvent(type), [field]: null })).not.toThrow();
      expect(() => check(type, { ...anEvent(type), [field]: '' })).not.toThrow();
      expect(() => check(type, { ...anEvent(type), [field]: '123' })).not.toThrow();
      const refusal = await clientErrorOf(() => check(type, { ...anEvent(type), [field]: 123 }));
      expect(refusal.message).toContain(` ${field} `);
    },
  );

  it.each([...fieldsOf(required), ...fieldsOf(optional)])(
    'checkEvent rejects %s with an unpaired surrogate in %s',
    async (type, field) => {
      for (const half of ['\ud800', 'a\udc00', '\ud83db']) {
        const value = field === 'duplicates' ? ['1', half] : half;
        const refusal = await clientErrorOf(() => check(type, { ...anEvent(type), [field]: value }));
        expect(refusal.errorName).toBe('invalidEvent');
        expect(refusal.message).toMatch(new RegExp(`^${type}: ${field}(?:\\.1)? must be well-formed Unicode$`));
      }
    },
  );

  it('checkEvent gives the position of an invalid entry in a list of duplicates', async () => {
    const refusal = await clientErrorOf(() =>
      check('duplicatePerson', { ...anEvent('duplicatePerson'), duplicates: ['1', 2] }),
    );
    expect(refusal.message).toContain('duplicates.1 ');
  });

  it('checkEvent accepts 1,000 duplicates, but rejects a longer list and advises publishing several events', async () => {
    const naming = (length: number) => ({
      ...anEvent('duplicatePerson'),
      duplicates: Array.from({ length }, (_, index) => String(index)),
    });
    expect(() => check('duplicatePerson', naming(1000))).not.toThrow();
    const refusal = await clientErrorOf(() => check('duplicatePerson', naming(1001)));
    expect(refusal.message).toContain('duplicates must contain at most 1000 UINs');
    expect(refusal.message).toContain('publish further events for the rest');
  });

  it.each(['[]', '"death"', 'null', '7', 'not json', '{"source":"CR","uin":"1"', '\ufeffdeath'])(
    'checkEvent rejects the body %j if the subject is an event type',
    async (body) => {
      const refusal = await clientErrorOf(() => checkEvent('death', 'CR', body));
      expect(refusal.message).toMatch(/^death: the body /);
    },
  );

  it('checkEvent ignores a byte order mark before the event', async () => {
    expect(() => checkEvent('death', 'CR', '\ufeff{"source":"CR","uin":"1"}')).not.toThrow();
    const refusal = await clientErrorOf(() => checkEvent('death', 'CR', '\ufeff{"source":"CR"}'));
    expect(refusal.message).toMatch(/^death: uin /);
  });

  it('checkEvent uses the subject as the event type, or the topic name if the subject is not an event type', async () => {
    const birth = JSON.stringify(anEvent('liveBirth'));
    expect(() => checkEvent('liveBirth', 'marriage', birth)).not.toThrow();
    expect((await clientErrorOf(() => checkEvent(undefined, 'marriage', birth))).message).toMatch(/^marriage: uin1/);
    expect((await clientErrorOf(() => checkEvent('hello', 'marriage', birth))).message).toMatch(/^marriage: uin1/);
  });

  it.each([
    ['livebirth', 'liveBirth'],
    ['DEATH', 'death'],
    ['mariage', 'marriage'],
    ['marriages', 'marriage'],
    ['newPersan', 'newPerson'],
    ['xdeath', 'death'],
    ['Divorc', 'divorce'],
  ])('checkEvent rejects the subject %s and suggests %s, regardless of the body', async (subject, type) => {
    for (const body of ['hello', JSON.stringify(anEvent(type as EventType))]) {
      const refusal = await clientErrorOf(() => checkEvent(subject, 'CR', body));
      expect(refusal.errorName).toBe('invalidParameter');
      expect(refusal.message).toMatch(new RegExp(`^subject .*${type}`));
    }
  });

  it('checkEvent accepts a topic whose name resembles an event type', () => {
    expect(() => checkEvent(undefined, 'livebirth', 'hello')).not.toThrow();
  });

  it.each([undefined, 'live birth 2', 'deaths2', 'birth', 'e', 'constructor', '__proto__', ''])(
    'checkEvent accepts any text as the body if the subject is %j',
    (subject) => {
      expect(() => checkEvent(subject, 'CR', 'hello')).not.toThrow();
    },
  );

  it('checkEvent does not repeat values from a rejected event in its error message', async () => {
    const refusal = await clientErrorOf(() => check('death', { source: 'CR', uin: ['secret-4711'] }));
    expect(refusal.message).not.toContain('4711');
  });
});

describe('isJson', () => {
  it.each(['{}', '[]', '"a"', '1', 'true', 'null', ' {} '])('returns true for %j', (text) => {
    expect(isJson(text)).toBe(true);
  });
  it.each(['', 'hello', '{', '{}{}', "{'a':1}", '\ufeff{}'])('returns false for %j', (text) => {
    expect(isJson(text)).toBe(false);
  });
});

describe('JSON that is nested too deeply', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

  it.each([101, 131_072])(
    'nested JSON is rejected at %i levels with an error message that names the body',
    async (levels) => {
      const refusal = await clientErrorOf(() => checkEvent(undefined, 'CR', nested(levels)));
      expect(refusal.errorName).toBe('malformedJson');
      expect(refusal.message).toContain('the body must not be nested deeper than 100 levels');
    },
  );

  it.each([
    ['after a byte order mark', `\ufeff{"a":${nested(5000)}}`],
    ['after whitespace', ` \n${nested(5000)}`],
    ['with text after the JSON', `${nested(5000)}\n${nested(5000)}`],
    ['without an end', '['.repeat(1000)],
  ])('nested JSON is rejected %s, even though a strict parser would treat the body as text', async (_what, body) => {
    expect((await clientErrorOf(() => checkEvent(undefined, 'CR', body))).errorName).toBe('malformedJson');
  });

  it.each([
    ['100 levels', nested(100)],
    ['100 levels after a byte order mark', `\ufeff${nested(100)}`],
    ['brackets inside a JSON string', JSON.stringify('['.repeat(1000))],
    ['text that does not start like JSON', `see ${'['.repeat(1000)}`],
  ])('is not detected in %s', (_what, body) => {
    expect(() => checkEvent(undefined, 'CR', body)).not.toThrow();
  });
});

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe('isDeeperThan', () => {
  it('isDeeperThan counts the same levels as a recursive function, even if strings contain brackets', () => {
    const anyJson = fc.jsonValue({ depthSize: 'medium', stringUnit: fc.constantFrom('"', '\\', '[', '}', 'a') });
    fc.assert(
      fc.property(anyJson, fc.boolean(), (value, isIndented) => {
        const text = JSON.stringify(value, undefined, isIndented ? 2 : 0);
        const depth = depthOf(value);
        expect(isDeeperThan(depth, text)).toBe(false);
        if (depth > 0) expect(isDeeperThan(depth - 1, text)).toBe(true);
      }),
    );
  });

  it('handles millions of brackets', () => {
    expect(isDeeperThan(100, '['.repeat(5_000_000))).toBe(true);
    expect(isDeeperThan(100, `"${'['.repeat(5_000_000)}"`)).toBe(false);
  });
});
