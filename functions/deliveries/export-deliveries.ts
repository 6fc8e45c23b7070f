import { exportDeliveries } from '../../shared/contract/jobs.ts';
import { faultLogged } from '../../shared/contract/log-lines.ts';
import { logFault } from '../../shared/lambda/log.ts';
import { addMetric } from '../../shared/lambda/metrics.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { told } from '../../shared/storage/deliveries/told.ts';
import { deliveryObjects } from '../../shared/storage/journal/delivery-objects.ts';
import { exportDeliveryHours } from '../../shared/storage/journal/export-deliveries.ts';
import { journalHours } from '../../shared/storage/journal/journal-hours.ts';

/** Exports who was told of events before the ledger forgets it, as many hours as there is time for; the next run goes on. */
export const handler = perform(exportDeliveries, [journalHours, told, deliveryObjects], (_, tools) =>
  exportDeliveryHours({
    ...tools,
    onOldest: (dueForMs) => addMetric('OldestDue', dueForMs / 1000),
    onFault: (error) => logFault(faultLogged, error, { job: exportDeliveries.job }),
  }),
);
