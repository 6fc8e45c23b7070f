/**
 * Settings for the tested stack. Receivers call functions before they respond, and a cold start takes seconds on a busy
 * machine. All receivers have the same host.
 */
export const settingsUnderTest = {
  emailSender: 'registry@journeys.example',
  receiverTimeoutSeconds: '10',
  unconfirmedPerHost: '1000',
  subscriptionsPerHost: '10000',
  confirmationsPerCaller: '1000000',
} as const;
