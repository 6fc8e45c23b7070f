/**
 * Settings for the tested stack. Receivers call functions before they respond, and on a busy machine, a cold start
 * takes seconds. All receivers run on the same host.
 */
export const settingsUnderTest = {
  emailSender: 'registry@journeys.example',
  receiverTimeoutSeconds: '10',
  unconfirmedPerHost: '1000',
  subscriptionsPerHost: '10000',
  confirmationsPerCaller: '1000000',
} as const;
