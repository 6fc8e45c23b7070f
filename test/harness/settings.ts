/**
 * The settings of the stack under test: a receiver has 2 seconds, a wait is a chain of one-second hops, and they run on
 * this machine, all under one name.
 */
export const settingsUnderTest = {
  emailSender: 'registry@journeys.example',
  receiverTimeoutSeconds: '2',
  hopSeconds: '1',
  unconfirmedPerHost: '1000',
  confirmationsPerCaller: '1000000',
} as const;
