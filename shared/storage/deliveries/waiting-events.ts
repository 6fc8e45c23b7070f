import { waitingPrefix } from './rows.ts';

/**
 * The query of the events that wait for a subscription, or are being worked on: the oldest first. Whatever rests as stuck is none of
 * them, and no request to confirm is, which strangers may cause. The filter counts nothing against a `Limit`: read it by pages.
 */
export const waitingEvents = (table: string, subscriptionUuid: string) => ({
  TableName: table,
  IndexName: 'bySubscription',
  KeyConditionExpression: '#owner = :owner AND begins_with(#standing, :waiting)',
  FilterExpression:
    'attribute_not_exists(#isStuck) AND (attribute_not_exists(#isConfirmation) OR #isConfirmation = :no)',
  ExpressionAttributeNames: {
    '#owner': 'owner',
    '#standing': 'standing',
    '#isStuck': 'isStuck',
    '#isConfirmation': 'isConfirmation',
  },
  values: { ':owner': subscriptionUuid, ':waiting': waitingPrefix, ':no': false },
});
