/** The settings of the stack under test: a receiver has 2 seconds, and a wait is a chain of one-second hops. */
export const settingsUnderTest = {
  emailSender: 'registry@journeys.example',
  receiverTimeoutSeconds: '2',
  hopSeconds: '1',
} as const;
