import { describe, expect, it } from 'vitest';
import { decideAudit, decideLook, type Look, mostResumes } from '../../../shared/domain/deliveries/look.ts';

const everyMs = 60_000;
const lane = (waiting: number, delayed = 0) => ({ waiting, delayed, perSecond: 10 });
const look = (given: Partial<Parameters<typeof decideLook>[0]>): Look =>
  decideLook({ resumes: 0, isPutOff: false, lanes: [lane(0)], everyMs, quickMs: 1000, ...given });

describe('what has no outcome when its time is past', () => {
  it('is sent again at once when no lane holds much', () => {
    expect(look({ lanes: [lane(10), lane(3)] })).toEqual({ is: 'sent', forMs: 4 * everyMs });
  });

  it('is put off until the longest of its lanes has served what it holds now', () => {
    const forMs = 11_100 + everyMs;
    expect(look({ lanes: [lane(11), lane(111)] })).toEqual({ is: 'putOff', forMs, isPutOff: true });
  });

  it('is sent again after that, whatever the lane holds then', () => {
    expect(look({ lanes: [lane(1e9)], isPutOff: true })).toEqual({ is: 'sent', forMs: 4 * everyMs });
  });

  it('is put off for half a day at the most', () => {
    expect(look({ lanes: [lane(1e9)] })).toMatchObject({ forMs: 12 * 3_600_000 + everyMs });
  });

  it('waits for as long as a lane is held up, and once more for what it holds then', () => {
    for (const isPutOff of [false, true]) {
      const held = { is: 'putOff', forMs: 15 * 60_000, isPutOff: false };
      expect(look({ lanes: [lane(0), lane(0, 1)], isPutOff, resumes: mostResumes })).toEqual(held);
    }
  });

  it('waits four times as long after each time, and is stuck after the third', () => {
    const waits = [0, 1, 2].map((resumes) => look({ resumes }));
    expect(waits).toEqual([4, 16, 64].map((times) => ({ is: 'sent', forMs: times * everyMs })));
    expect(look({ resumes: 3 })).toEqual({ is: 'stuck' });
    expect(look({ resumes: 3, lanes: [lane(100)] })).toMatchObject({ is: 'putOff' });
  });
});

describe('an audit', () => {
  const free = [lane(0)];
  const [held, busy] = [[lane(0, 1)], [lane(11)]];
  const audit = (given: Partial<Parameters<typeof decideAudit>[0]>): Look => {
    const lanesOf = { http: free, email: free };
    return decideAudit({
      resumes: 0,
      isPutOff: false,
      lanes: free,
      lanesOf,
      leftOut: [],
      everyMs,
      quickMs: 1000,
      ...given,
    });
  };
  const quarterMs = 15 * 60_000;

  it('leaves out a protocol whose lane is held up, without counting a look, and is not made anew while it is', () => {
    const lanesOf = { http: free, email: held };
    const inPart = { is: 'inPart', forMs: quarterMs, isPutOff: false, leftOut: ['email'] };
    expect(audit({ lanesOf })).toEqual(inPart);
    expect(audit({ lanesOf, leftOut: ['email'] })).toEqual({ is: 'putOff', forMs: quarterMs, isPutOff: false });
    expect(audit({ lanesOf, leftOut: ['http'] })).toEqual(inPart);
    expect(audit({ leftOut: ['email'] })).toMatchObject({ is: 'sent' });
  });

  it('leaves out a protocol whose lane holds much, once', () => {
    const lanesOf = { http: busy, email: free };
    const forMs = 1100 + everyMs;
    expect(audit({ lanesOf })).toEqual({ is: 'inPart', forMs, isPutOff: true, leftOut: ['http'] });
    // That its own payload was put off says nothing of the lanes.
    expect(audit({ lanesOf, isPutOff: true })).toMatchObject({ is: 'inPart' });
    expect(audit({ lanesOf, isPutOff: true, leftOut: ['http'] })).toMatchObject({ is: 'sent' });
  });

  it('is put off where nobody is left, and made whatever the lanes hold then', () => {
    const lanesOf = { http: busy, email: busy };
    const putOff = audit({ lanesOf });
    expect(putOff).toMatchObject({ is: 'putOff', isPutOff: true, leftOut: ['http', 'email'] });
    expect(audit({ lanesOf, isPutOff: true, leftOut: ['http', 'email'] })).toMatchObject({ is: 'sent' });
  });

  it('waits for what its own queue holds, and is stuck only when no lane may hide what it seeks', () => {
    expect(audit({ lanes: busy })).toEqual({ is: 'putOff', forMs: 1100 + everyMs, isPutOff: true });
    expect(audit({ resumes: mostResumes })).toEqual({ is: 'stuck' });
    expect(audit({ resumes: mostResumes, lanesOf: { http: free, email: held } })).toMatchObject({ is: 'putOff' });
  });
});
