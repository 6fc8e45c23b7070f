/** Random texts that the stack makes on its first deployment; keys are derived from them. */
export const secrets = {
  signing: 'what deliveries are signed with and unsubscribe links are made of',
} as const satisfies Record<string, string>;

export type SecretName = keyof typeof secrets;

/** How long (minutes) a function may keep a secret that it has read: after that a rotation is in force everywhere. */
export const secretMinutes = 5;
