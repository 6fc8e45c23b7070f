import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { deliveries, type MessageRow } from '../../shared/storage/deliveries.ts';
import { noon } from '../support/builders.ts';
import { useDynamodb } from '../support/embedded.ts';

const dynamodb = useDynamodb();
const open = (table: string) => ({
  ...deliveries.permissions.fanOut(dynamodb.client, table),
  ...deliveries.permissions.deliver(dynamodb.client, table),
});

let table: string;
let ledger: ReturnType<typeof open>;
beforeEach(async () => {
  table = await dynamodb.createTable('deliveries');
  ledger = open(table);
});

const expiresAt = noon / 1000 + 30 * 24 * 3600;
const lease = { now: noon, leaseUntil: noon + 30_000, expiresAt };
const leaseAfter = (ms: number) => ({ now: noon + ms, leaseUntil: noon + ms + 30_000, expiresAt });
const anAttempt = (attempt = 0) => ({ messageId: randomUUID(), taskKey: 'http#0#0', attempt });
const delivered = { a: { class: 'delivered', status: 200, at: noon, next: 'none' } } as const;
const failed = { a: { class: 'http', status: 500, at: noon, next: 'retry', notBefore: noon + 60_000 } } as const;

const aRow = (given: Partial<MessageRow> = {}): MessageRow => ({
  messageId: randomUUID(),
  jobId: 'job-1',
  topicUuid: 'topic',
  topicName: 'CR',
  timestamp: new Date(noon).toISOString(),
  bits: 3,
  expiresAt,
  ...given,
});

describe('open', () => {
  it('opens a page once, and answers the first to whoever comes later', async () => {
    const row = aRow({ subject: 'death' });
    expect(await ledger.open(row)).toBeUndefined();
    expect(await ledger.open({ ...row, jobId: 'job-2', bits: 4 })).toEqual(row);
  });

  it('is granted to one of many at once', async () => {
    const row = aRow();
    const opened = await Promise.all(
      Array.from({ length: 8 }, (_, index) => ledger.open({ ...row, jobId: `${index}` })),
    );
    expect(opened.filter((answer) => answer === undefined)).toHaveLength(1);
  });

  it('keeps the body of a long message for its tasks', async () => {
    const bodyBase64 = Buffer.from('x'.repeat(256 * 1024)).toString('base64');
    const row = aRow({ bodyBase64 });
    await ledger.open(row);
    expect(await ledger.bodyOf(row.messageId)).toBe(bodyBase64);
  });

  it('has no body of a short or an unknown message', async () => {
    const row = aRow();
    await ledger.open(row);
    expect(await ledger.bodyOf(row.messageId)).toBeUndefined();
    expect(await ledger.bodyOf(randomUUID())).toBeUndefined();
  });
});

describe('claim', () => {
  it('is granted to exactly one of many at once; the others are told that it is in hand', async () => {
    const attempt = anAttempt();
    const claims = await Promise.all(Array.from({ length: 12 }, () => ledger.claim(attempt, lease)));
    expect(claims.map(({ is }) => is).toSorted()).toEqual([...Array(11).fill('busy'), 'claimed']);
  });

  it('is busy to the last millisecond of the lease, and granted again after it', async () => {
    const attempt = anAttempt();
    await ledger.claim(attempt, lease);
    expect(await ledger.claim(attempt, leaseAfter(29_999))).toEqual({ is: 'busy' });
    expect(await ledger.claim(attempt, leaseAfter(30_000))).toEqual({ is: 'busy' });
    expect(await ledger.claim(attempt, leaseAfter(30_001))).toEqual({ is: 'claimed' });
    expect(await ledger.claim(attempt, leaseAfter(30_002))).toEqual({ is: 'busy' });
  });

  it('after a lease has run out is granted to one of many', async () => {
    const attempt = anAttempt();
    await ledger.claim(attempt, lease);
    const claims = await Promise.all(Array.from({ length: 6 }, () => ledger.claim(attempt, leaseAfter(31_000))));
    expect(claims.filter(({ is }) => is === 'claimed')).toHaveLength(1);
  });

  it('is done, with its outcomes, once it was recorded, however much later', async () => {
    const attempt = anAttempt();
    await ledger.claim(attempt, lease);
    await ledger.record(attempt, lease.leaseUntil, failed);
    expect(await ledger.claim(attempt, leaseAfter(1))).toEqual({ is: 'done', outcomes: failed });
    expect(await ledger.claim(attempt, leaseAfter(1e9))).toEqual({ is: 'done', outcomes: failed });
  });

  it('is granted for the next attempt, and then no more for the one before', async () => {
    const first = anAttempt();
    await ledger.claim(first, lease);
    await ledger.record(first, lease.leaseUntil, failed);
    expect(await ledger.claim({ ...first, attempt: 1 }, leaseAfter(60_000))).toEqual({ is: 'claimed' });
    expect(await ledger.claim(first, leaseAfter(60_001))).toEqual({ is: 'done', outcomes: {} });
    expect(await ledger.claim(first, leaseAfter(1e9))).toEqual({ is: 'done', outcomes: {} });
  });

  it('does not stand in the way of other tasks and other messages', async () => {
    const attempt = anAttempt();
    await ledger.claim(attempt, lease);
    expect(await ledger.claim({ ...attempt, taskKey: 'http#0#1' }, lease)).toEqual({ is: 'claimed' });
    expect(await ledger.claim({ ...attempt, messageId: randomUUID() }, lease)).toEqual({ is: 'claimed' });
  });

  it('lets its row expire with the ledger', async () => {
    await ledger.claim(anAttempt(), lease);
    expect(await dynamodb.rowsOf(table)).toMatchObject([{ expiresAt }]);
  });
});

describe('record', () => {
  it('is refused to whoever let the lease run out and lost the claim', async () => {
    const attempt = anAttempt();
    await ledger.claim(attempt, lease);
    const second = leaseAfter(31_000);
    await ledger.claim(attempt, second);
    expect(await ledger.record(attempt, lease.leaseUntil, failed)).toBe(false);
    expect(await ledger.record(attempt, second.leaseUntil, delivered)).toBe(true);
    expect(await ledger.claim(attempt, leaseAfter(32_000))).toEqual({ is: 'done', outcomes: delivered });
  });

  it('is done once', async () => {
    const attempt = anAttempt();
    await ledger.claim(attempt, lease);
    expect(await ledger.record(attempt, lease.leaseUntil, delivered)).toBe(true);
    expect(await ledger.record(attempt, lease.leaseUntil, failed)).toBe(false);
  });

  it('is refused without a claim', async () => {
    expect(await ledger.record(anAttempt(), lease.leaseUntil, delivered)).toBe(false);
    expect(await dynamodb.rowsOf(table)).toEqual([]);
  });
});
