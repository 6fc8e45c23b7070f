import { expect, it } from 'vitest';
import { ClientError, type ClientErrorName, clientErrors } from '../../shared/domain/client-errors.ts';

const catalogue = Object.entries(clientErrors);

it('every client error has its own error code', () => {
  expect(new Set(catalogue.map(([, { code }]) => code)).size).toBe(catalogue.length);
});

it('the error catalogue uses code 1023 for attributes that are not returned, as OSIA requires', () => {
  expect(catalogue.find(([, { code }]) => code === 1023)?.[0]).toBe('attributeNotReturned');
});

it.each(catalogue.filter(([name]) => name !== 'attributeNotReturned'))(
  'the client error %s has an HTTP error status, and logs show it as a ClientError',
  (name, entry) => {
    expect(new ClientError(name as ClientErrorName, '').name).toBe('ClientError');
    expect(entry.status).toBeGreaterThanOrEqual(400);
    expect(entry.status).toBeLessThanOrEqual(504);
  },
);
