import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compactUuid, expandUuid } from '../../shared/domain/uuid-text.ts';

it('compactUuid converts a UUID to 22 URL-safe characters, and expandUuid restores the UUID', () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      expect(compactUuid(uuid)).toMatch(/^[\w-]{22}$/);
      expect(expandUuid(compactUuid(uuid))).toBe(uuid);
    }),
  );
});
