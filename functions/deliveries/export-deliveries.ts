import { exportDeliveries } from '../../shared/contract/jobs.ts';
import { exportHears } from '../../shared/lambda/export-hears.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { exportDeliveryHours } from '../../shared/registry/export/export-deliveries.ts';
import { told } from '../../shared/storage/deliveries/told.ts';
import { deliveryObjects } from '../../shared/storage/journal/delivery-objects.ts';
import { journalHours } from '../../shared/storage/journal/journal-hours.ts';

/** Exports who was told of events before the ledger forgets it, as much as there is time for; the next run goes on. */
export const handler = perform(exportDeliveries, [journalHours, told, deliveryObjects], (_, tools) =>
  exportDeliveryHours({ ...tools, ...exportHears(exportDeliveries) }),
);
