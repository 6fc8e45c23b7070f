import { describe, expect, it } from 'vitest';
import { InternalError, type InternalErrorName, internalErrors } from '../../shared/domain/internal-errors.ts';

const catalogue = Object.entries(internalErrors);
// The fields of every error log line. An ID with the name of another log field would overwrite that field.
const logFields = ['message', 'error', 'reason', 'cause', 'status', 'bundle', 'at'];

it.each(catalogue)('the catalogue of internal errors describes %s in one sentence', (name, { message }) => {
  expect(message.split(' ').length).toBeGreaterThan(5);
  // Messages are single sentences, so that log lines can add details. A message has no placeholders, because
  // placeholder values could be personal data.
  expect(message).toMatch(/^(?:[a-z]|S3 |SQS ).*[a-zA-Z0-9?]$/);
  expect(message).not.toMatch(/[${}%<>]/);
  expect(message).not.toContain(name);
});

it('each internal error has its own message', () => {
  expect(new Set(catalogue.map(([, { message }]) => message)).size).toBe(catalogue.length);
});

it.each(catalogue)('the IDs of the internal error %s differ from the names of other log fields', (_name, { ids }) => {
  expect(ids.filter((id) => logFields.includes(id))).toEqual([]);
  expect(ids.filter((id) => !/^[a-z][a-zA-Z]*$/.test(id))).toEqual([]);
});

describe('an internal error', () => {
  it('the message of an internal error contains its name, description and IDs', () => {
    const error = new InternalError('queueMissed', { messageId: 'm-1', taskKey: 'message' });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'InternalError',
      errorName: 'queueMissed',
      ids: { messageId: 'm-1', taskKey: 'message' },
    });
    expect(error.message).toBe(`queueMissed: ${internalErrors.queueMissed.message} (messageId m-1, taskKey message)`);
    expect(new InternalError('missingContent', {}).message).toBe(
      `missingContent: ${internalErrors.missingContent.message}`,
    );
  });

  it('an internal error keeps its cause but omits the text of the cause from its message', () => {
    const cause = new Error('Zanzibar-4711');
    const error = new InternalError('missingSecret', { secret: 'signing' }, cause);
    expect(error.cause).toBe(cause);
    expect(error.message).not.toContain('Zanzibar-4711');
  });

  it('an internal error accepts only the IDs that the catalogue lists for its name', () => {
    // @ts-expect-error an address is not an ID
    new InternalError('missingBody', { messageId: 'm-1', address: 'a@example.org' });
    // @ts-expect-error an ID is missing
    new InternalError('queueMissed', { messageId: 'm-1' });
    const names = ['missingBody', 'queueMissed'] satisfies InternalErrorName[];
    expect(names.every((name) => name in internalErrors)).toBe(true);
  });
});
