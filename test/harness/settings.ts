/** Settings for the tested stack. Receivers must respond within 2 seconds, and all receivers have the same host. */
export const settingsUnderTest = {
  emailSender: 'registry@journeys.example',
  receiverTimeoutSeconds: '2',
  unconfirmedPerHost: '1000',
  subscriptionsPerHost: '10000',
  confirmationsPerCaller: '1000000',
} as const;
