import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { jobs, readJournal, redeliver, sweep } from '../../shared/contract/jobs.ts';
import { settings } from '../../shared/contract/settings.ts';
import { journalKeys } from '../../shared/domain/journal/journal-keys.ts';

const [messageId, subscription] = [randomUUID(), randomUUID()];

describe('the jobs', () => {
  it.each(jobs)('$job reads settings that there are, and says in words what fails with it', ({ reads, impact }) => {
    expect(reads.filter((name) => !(name in settings))).toEqual([]);
    expect(impact).toMatch(/^[A-Z].*\.$/);
  });

  it.each(jobs)('$job ends within the 15 minutes of a function', ({ timeoutSeconds }) => {
    expect(timeoutSeconds).toBeGreaterThan(0);
    expect(timeoutSeconds).toBeLessThanOrEqual(900);
  });
});

describe('sweep', () => {
  it.each([undefined, {}, { 'detail-type': 'Scheduled Event' }])(
    'is started by %j, whatever the clock sends',
    (event) => {
      expect(sweep.input.parse(event)).toEqual(event);
    },
  );
});

describe('redeliver', () => {
  it.each([
    { messageId },
    { messageId, subscription },
    { subscription },
    { since: '2026-11-20T08:00:00Z' },
    { since: '2026-11-20T08:00:00.000Z' },
  ])('takes the choice %j', (choice) => {
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
  ])('refuses %j, which would choose other deliveries than were meant', (choice) => {
    expect(redeliver.input.safeParse(choice).success).toBe(false);
  });
});

describe('readJournal', () => {
  const row = { at: '2026-11-20T08:00:00.000Z', operation: 'readPerson', requestId: 'request-1', caller: 'client-1' };

  it.each([messageId, `${messageId}#unread`])('goes on after a row of the entry %s', (id) => {
    const { moment: cursor } = journalKeys(row, id, 7);
    for (const of of [{ uin: '1' }, { caller: 'client-1' }])
      expect(readJournal.input.parse({ ...of, cursor })).toEqual({ ...of, cursor });
  });

  it.each(['zzz', '2026', row.at, `${row.at}#${messageId}`, `zzz ${row.at}#${messageId}#00007`, 7, ''])(
    'refuses the cursor %j, after which there would be other rows than are next, or none',
    (cursor) => {
      for (const of of [{ uin: '1' }, { caller: 'client-1' }])
        expect(readJournal.input.safeParse({ ...of, cursor }).success).toBe(false);
    },
  );
});
