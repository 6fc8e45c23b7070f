import { exportDeliveries } from '../../shared/contract/jobs.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { exportReports } from '../../shared/lambda/report-export.ts';
import { exportDeliveryHours } from '../../shared/registry/export/export-deliveries.ts';
import { messageDeliveries } from '../../shared/storage/deliveries/message-deliveries.ts';
import { deliveryObjects } from '../../shared/storage/journal/exported-objects.ts';
import { journalHours } from '../../shared/storage/journal/journal-hours.ts';

export const handler = perform(exportDeliveries, [journalHours, messageDeliveries, deliveryObjects], (_, tools) =>
  exportDeliveryHours({ ...tools, ...exportReports(exportDeliveries) }),
);
