/** Random texts that the stack makes on its first deployment; keys are derived from them. */
export const secrets = {
  signing: 'what deliveries are signed with and unsubscribe links are made of',
} as const satisfies Record<string, string>;

export type SecretName = keyof typeof secrets;
