import { describe, expect, it } from 'vitest';
import { clientErrors } from '../../shared/domain/client-errors.ts';

const catalogue = Object.entries(clientErrors);

describe('the error catalogue', () => {
  it('gives every refusal a code of its own', () => {
    expect(new Set(catalogue.map(([, { code }]) => code)).size).toBe(catalogue.length);
  });

  it('keeps the meaning that the interface gives 1023', () => {
    expect(catalogue.find(([, { code }]) => code === 1023)?.[0]).toBe('attributeNotReturned');
  });

  it.each(catalogue.filter(([name]) => name !== 'attributeNotReturned'))(
    'answers %s with an error status',
    (_name, entry) => {
      expect(entry.status).toBeGreaterThanOrEqual(400);
      expect(entry.status).toBeLessThanOrEqual(504);
    },
  );
});
