import { describe, expect, it } from 'vitest';
import { InternalError, type InternalErrorName, internalErrors } from '../../shared/domain/internal-errors.ts';

const catalogue = Object.entries(internalErrors);
// What every line of a fault has beside: an id of that name would be lost, or would hide it.
const ofTheLine = ['message', 'error', 'reason', 'cause', 'status', 'bundle', 'at'];

describe('the catalogue of faults', () => {
  it.each(catalogue)('says of %s in plain words what broke', (name, { message }) => {
    expect(message.split(' ').length).toBeGreaterThan(5);
    // One sentence that a line can go on after; and no place for a value, which might be data.
    expect(message).toMatch(/^(?:[a-z]|S3 |SQS ).*[a-zA-Z0-9?]$/);
    expect(message).not.toMatch(/[${}%<>]/);
    expect(message).not.toContain(name);
  });

  it('says nothing twice', () => {
    expect(new Set(catalogue.map(([, { message }]) => message)).size).toBe(catalogue.length);
  });

  it.each(catalogue)('gives %s ids that stand beside everything else in a line', (_name, { ids }) => {
    expect(ids.filter((id) => ofTheLine.includes(id))).toEqual([]);
    expect(ids.filter((id) => !/^[a-z][a-zA-Z]*$/.test(id))).toEqual([]);
  });
});

describe('a fault', () => {
  it('tells its name, its message and its ids, wherever only its message is shown', () => {
    const fault = new InternalError('queueMissed', { messageId: 'm-1', taskKey: 'message' });
    expect(fault).toBeInstanceOf(Error);
    expect(fault).toMatchObject({
      name: 'InternalError',
      errorName: 'queueMissed',
      ids: { messageId: 'm-1', taskKey: 'message' },
    });
    expect(fault.message).toBe(`queueMissed: ${internalErrors.queueMissed.message} (messageId m-1, taskKey message)`);
    expect(new InternalError('missingContent', {}).message).toBe(
      `missingContent: ${internalErrors.missingContent.message}`,
    );
  });

  it('tells nothing of the error that it came from, and keeps it', () => {
    const cause = new Error('Zanzibar-4711');
    const fault = new InternalError('missingSecret', { secret: 'signing' }, cause);
    expect(fault.cause).toBe(cause);
    expect(fault.message).not.toContain('Zanzibar-4711');
  });

  it('has only the ids that its entry names', () => {
    // @ts-expect-error an address is no id
    new InternalError('missingBody', { messageId: 'm-1', address: 'a@example.org' });
    // @ts-expect-error an id is missing
    new InternalError('queueMissed', { messageId: 'm-1' });
    const names = ['missingBody', 'queueMissed'] satisfies InternalErrorName[];
    expect(names.every((name) => name in internalErrors)).toBe(true);
  });
});
