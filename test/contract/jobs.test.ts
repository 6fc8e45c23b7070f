import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { jobs, readJournal, redeliver, sweep } from '../../shared/contract/jobs.ts';
import { settings } from '../../shared/contract/settings.ts';
import { journalKeys } from '../../shared/domain/journal/journal-keys.ts';

const [messageId, subscription] = [randomUUID(), randomUUID()];

it.each(jobs)('every job reads existing settings and describes the impact of a failure: $job', ({ reads, impact }) => {
  expect(reads.filter((name) => !(name in settings))).toEqual([]);
  expect(impact).toMatch(/^[A-Z].*\.$/);
});

it.each(jobs)('every job has between 30 seconds and 15 minutes, the Lambda time limit: $job', ({ timeoutSeconds }) => {
  expect(timeoutSeconds).toBeGreaterThanOrEqual(30);
  expect(timeoutSeconds).toBeLessThanOrEqual(900);
});

it.each([undefined, {}, { 'detail-type': 'Scheduled Event' }])(
  'sweep accepts any input from the scheduler: %j',
  (event) => {
    expect(sweep.input.parse(event)).toEqual(event);
  },
);

describe('redeliver', () => {
  it.each([
    { messageId },
    { messageId, subscription },
    { subscription },
    { since: '2026-11-20T08:00:00Z' },
    { since: '2026-11-20T08:00:00.000Z' },
  ])('redeliver accepts the input %j', (choice) => {
    expect(redeliver.input.parse(choice)).toEqual(choice);
  });

  it.each([
    undefined,
    null,
    'all',
    {},
    { messageId: 'one' },
    { subscription: '' },
    { messageId, subscription: 'one' },
    { since: 'yesterday' },
    { since: '2026-11-20' },
    { since: 1_700_000_000_000 },
    { since: '2026-11-20T08:00:00Z', messageId },
    { since: '2026-11-20T08:00:00Z', subscription },
    { messageID: messageId },
  ])('redeliver rejects %j, which could select the wrong deliveries', (choice) => {
    expect(redeliver.input.safeParse(choice).success).toBe(false);
  });
});

describe('readJournal', () => {
  const row = { at: '2026-11-20T08:00:00.000Z', operation: 'readPerson', requestId: 'request-1', caller: 'client-1' };

  it.each([messageId, `${messageId}#unread`])(
    'readJournal accepts a cursor that points to a row in the journal entry %s',
    (id) => {
      const { moment: cursor } = journalKeys(row, id, 7);
      for (const choice of [{ uin: '1' }, { caller: 'client-1' }])
        expect(readJournal.input.parse({ ...choice, cursor })).toEqual({ ...choice, cursor });
    },
  );

  it.each(['zzz', '2026', row.at, `${row.at}#${messageId}`, `zzz ${row.at}#${messageId}#00007`, 7, ''])(
    'readJournal rejects the cursor %j, which would skip rows or return no rows',
    (cursor) => {
      for (const choice of [{ uin: '1' }, { caller: 'client-1' }])
        expect(readJournal.input.safeParse({ ...choice, cursor }).success).toBe(false);
    },
  );
});
