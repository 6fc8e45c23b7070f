import * as z from 'zod/mini';
import { topicName } from '../model/topics/topic.ts';
import { integer, pattern } from './setting-schemas.ts';

/** Under which numbers people are registered, and how they change by files. */
export const personSettings = {
  uinLength: {
    schema: () => integer(8, 19),
    default: '12',
    meaning: 'digits of a new UIN, 8 to 19',
  },
  uinFormat: {
    schema: pattern,
    default: '[A-Za-z0-9][A-Za-z0-9._-]{0,63}',
    meaning:
      'regular expression that a UIN must match as a whole which an import gives; what means something in URLs never stands in one',
  },
  importWritesPerSecond: {
    schema: () => integer(1, 40_000),
    default: '500',
    meaning:
      'writes a second that an import makes in the table `persons`; its indexes take up to twelve more for one of a person',
  },
  importDays: {
    schema: () => integer(1, 365),
    default: '30',
    meaning:
      'days that files of imports and their reports are kept; for as long after its end, a file of the same bytes is the same import',
  },
  reindexWritesPerSecond: {
    schema: () => integer(1, 10_000),
    default: '200',
    meaning:
      'persons a second that are written into a new search index, at the most, while it is filled; four times as many are read',
  },
  changesTopic: {
    schema: () => z.union([z.literal(''), topicName]),
    default: '',
    meaning:
      'name of the topic to which lines of imports are published that say `publish`; empty: such lines are refused',
  },
} as const;
