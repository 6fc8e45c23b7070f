import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  mailBatchSize,
  mailCopies,
  mailIntervalMs,
  mailRates,
  mailReserveSeconds,
  mailTimes,
} from '../../../shared/domain/deliveries/mail-pace.ts';
import { maxBatchAttempts } from '../../../shared/domain/deliveries/shards.ts';

const rates = fc.integer({ min: 1, max: 200 });

describe('the sending rate', () => {
  it('is never exceeded by a lane in any second, however its copies are timed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 200 }), (rate) => {
        const perSecond = Math.ceil(1000 / mailIntervalMs(rate));
        expect(mailCopies * perSecond).toBeLessThanOrEqual(rate);
      }),
    );
  });

  it('is never exceeded by all lanes together over an hour', () => {
    fc.assert(
      fc.property(rates, (rate) => {
        const { events, confirmations } = mailRates(rate);
        const perHour = [events, confirmations].map((share) => (mailCopies * 3_600_000) / mailIntervalMs(share));
        expect(perHour.reduce((sum, mails) => sum + mails)).toBeLessThanOrEqual(rate * 3600);
      }),
    );
  });

  it('leaves six of seven mails to events', () => {
    expect(mailRates(14)).toEqual({ events: 12, confirmations: 2 });
  });

  it('of one mail a second is one in two seconds for each copy', () => {
    expect(mailIntervalMs(1)).toBe(2000);
  });

  it('of the default is 6 events and a confirmation a second for each copy', () => {
    expect(mailIntervalMs(12)).toBe(167);
    expect(mailIntervalMs(2)).toBe(1000);
  });
});

describe('the times of a mail delivery', () => {
  it('stay within the 900 seconds that Lambda allows, in order', () => {
    fc.assert(
      fc.property(rates, (emailsPerSecond) => {
        const times = mailTimes({ emailsPerSecond });
        expect(times.functionSeconds).toBeLessThanOrEqual(900);
        expect(times.leaseSeconds).toBeGreaterThan(times.functionSeconds);
        expect(times.visibilitySeconds).toBeGreaterThan(times.leaseSeconds);
      }),
    );
  });

  it('are long enough for a batch of the largest tasks', () => {
    fc.assert(
      fc.property(rates, (emailsPerSecond) => {
        const { functionSeconds } = mailTimes({ emailsPerSecond });
        const mails = mailBatchSize * maxBatchAttempts;
        const sendingSeconds = (mails * mailIntervalMs(mailRates(emailsPerSecond).events)) / 1000;
        expect(functionSeconds - mailReserveSeconds).toBeGreaterThanOrEqual(sendingSeconds);
      }),
    );
  });

  it('match the comment', () => {
    expect(mailTimes({ emailsPerSecond: 14 }).functionSeconds).toBe(66);
    expect(mailTimes({ emailsPerSecond: 1 }).functionSeconds).toBe(586);
  });
});
