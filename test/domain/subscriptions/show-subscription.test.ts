import { expect, it } from 'vitest';
import { showSubscription } from '../../../shared/domain/subscriptions/show-subscription.ts';
import { aSubscription, aTopic } from '../../harness/builders.ts';

it('showSubscription returns the fields from OSIA section 2.5, but not the token', () => {
  const stored = aSubscription(aTopic({ name: 'CR' }), { countdownSeconds: 3, maxRetries: -1, isActive: false });
  expect(showSubscription(stored)).toEqual({
    uuid: stored.uuid,
    topic: 'CR',
    protocol: 'http',
    address: stored.address,
    policy: '3,-1',
    active: false,
  });
});
