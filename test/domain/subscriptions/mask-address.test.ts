import { expect, it } from 'vitest';
import { maskAddress } from '../../../shared/domain/subscriptions/subscription-address.ts';

it.each([
  ['email', 'amelie.clerk@example.org', 'a***@example.org'],
  ['email', 'x@example.org', 'x***@example.org'],
  ['email', 'émile@exämple.org', 'é***@exämple.org'],
  ['email', '👶baby@example.org', '👶***@example.org'],
  ['http', 'https://receiver.example:8443/hooks/secret?key=4711', 'https://receiver.example:8443/***'],
] as const)('maskAddress shows the %s address %s as %s', (protocol, address, shown) => {
  expect(maskAddress({ protocol, address })).toBe(shown);
});
