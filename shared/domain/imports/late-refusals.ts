import type { LineRefusal } from '../../model/imports/change.ts';

/** Why a line that can be read is refused all the same: for what there is, or is not, when its turn comes. */
export const lateRefusals = {
  taken: { field: 'uin', reason: 'is registered already' },
  gone: { field: 'uin', reason: 'was the UIN of somebody who is gone: it is not given to another' },
  unknown: { field: 'uin', reason: 'is nobody in this registry' },
  unknownKept: { field: 'keep', reason: 'is nobody in this registry' },
  unknownDuplicate: { field: 'duplicates', reason: 'names somebody who is nobody in this registry' },
  unmovable: {
    field: 'duplicates',
    reason:
      'names somebody with a document that is too large (5 GiB) or whose key would be too long (1,024 bytes) to be moved',
  },
  noTopic: {
    field: 'publish',
    reason: 'has no topic to go to: create the one that the setting changesTopic names, or have it name one',
  },
} as const satisfies Record<string, LineRefusal>;

export type LateRefusal = keyof typeof lateRefusals;
