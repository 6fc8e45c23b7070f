/** Settings of the stack under test. Receivers have 2 seconds, and all of them share one host. */
export const settingsUnderTest = {
  emailSender: 'registry@journeys.example',
  receiverTimeoutSeconds: '2',
  unconfirmedPerHost: '1000',
  confirmationsPerCaller: '1000000',
} as const;
