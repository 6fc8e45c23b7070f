import type { Edit } from './edit.ts';

const constant = (file: string, name: string, value: number | string, small: number): Edit => ({
  file,
  text: `const ${name} = ${value};`,
  replacement: `const ${name} = ${small};`,
});

/** Product constants that are tiny in small mode, so even a few subscriptions need many shards and segments. */
export const small: readonly Edit[] = [
  constant('shared/delivery/fan-out/fan-out-message.ts', 'segmentSubscriptions', 5000, 2),
  constant('shared/delivery/sweep/resume-row.ts', 'mostSubscriptions', 100, 4),
  constant('shared/domain/deliveries/channels.ts', 'massBits', 9, 2),
  constant('shared/domain/deliveries/parking.ts', 'maxActiveMessages', 5, 1),
  constant('shared/delivery/parking/visit-parking.ts', 'maxReleased', 20, 2),
  constant('shared/domain/deliveries/shards.ts', 'maxBatchAttempts', 40, 2),
  constant('shared/domain/deliveries/shards.ts', 'maxUuidsPerTask', 1000, 3),
  constant('shared/domain/deliveries/shards.ts', 'shardBitsPerRowShard', 5, 1),
  constant('shared/delivery/recovery/recover-missed.ts', 'maxPending', 20, 2),
  constant('shared/storage/deliveries/batch-deliveries.ts', 'mostOutcomes', 1500, 3),
  {
    file: 'shared/delivery/recovery/recover-missed.ts',
    text: 'Math.max(25, 5 * room)',
    replacement: 'Math.max(1, room)',
  },
  // An import run applies one or two chunks, and then hands over to the next run.
  constant('shared/registry/import/run-passes.ts', 'handOverMs', '10_000', 39_500),
  constant('shared/storage/batches.ts', 'maxKeys', 100, 2),
];
