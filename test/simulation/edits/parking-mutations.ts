import type { Edit } from './edit.ts';

const visit = 'shared/delivery/parking/visit-parking.ts';
const rows = 'shared/storage/deliveries/parking.ts';

/** Mutations of parking that the simulator must notice, by name. Small mode has one active message. */
export const parkingMutations: Readonly<Record<string, readonly Edit[]>> = {
  parksWithoutPlace: [
    {
      file: rows,
      text: '{ Put: { TableName: table, Item: toItem(place) } },',
      replacement: "{ Put: { TableName: table, Item: toItem({ ...place, taskKey: 'elsewhere' }) } },",
    },
  ],
  keepsTimerOfParked: [
    {
      file: rows,
      text: 'remove: [...indexAttributes, ...sweepStateNames],',
      replacement: 'remove: [...sweepStateNames],',
    },
  ],
  parksWithoutParkingRow: [
    {
      file: rows,
      text: 'if (Item !== undefined && Item.closedAt === undefined) return;',
      replacement: 'if (Item !== undefined || now > 0) return;',
    },
  ],
  deletesParkingRowAtOnce: [
    { file: rows, text: 'if (now - closedAt < graceMs) return;', replacement: 'if (now - closedAt < 0) return;' },
    {
      file: rows,
      text: "'sweepAt = :seen AND closedAt = :closedAt'",
      replacement: "'attribute_exists(sweepAt) OR sweepAt = :seen OR closedAt = :closedAt'",
    },
  ],
  neverReleases: [
    {
      file: visit,
      text: 'const released = await release(parked.slice(0, Math.max(0, maxReleased - pending)), visit);',
      replacement: 'const released = await release(parked.slice(0, 0 * pending), visit);',
    },
  ],
  deletesPlaceOfProbe: [{ file: visit, text: "if (attempt === 'probing') return 0;", replacement: '' }],
  countsProbes: [
    {
      file: 'shared/storage/deliveries/single-deliveries.ts',
      text: "!isPostponed && next !== 'parked'",
      replacement: '!isPostponed || next === undefined',
    },
  ],
  dropsPlaceBeforeRelease: [
    {
      file: visit,
      text: '    const attempt = await tools.deliveries.releaseParked(place, now, expiresAt);\n',
      replacement:
        '    await tools.deliveries.deletePlace(place);\n    const attempt = await tools.deliveries.releaseParked(place, now, expiresAt);\n',
    },
  ],
};
