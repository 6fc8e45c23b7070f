interface SecretFacts {
  readonly meaning: string;
  /** Whether an operator may give it a new value; of one that stays for ever, the stack refuses that. */
  readonly isRotated: boolean;
}

/** Random texts that the stack makes on its first deployment; keys are derived from them. */
export const secrets = {
  signing: { meaning: 'what deliveries are signed with and unsubscribe links are made of', isRotated: true },
  naming: {
    meaning: 'what subscriptions are named with, so that no id tells an address; it stays for ever',
    isRotated: false,
  },
} as const satisfies Record<string, SecretFacts>;

export type SecretName = keyof typeof secrets;

/** How long (minutes) a function may keep a secret that it has read: after that a rotation is in force everywhere. */
export const secretMinutes = 5;
