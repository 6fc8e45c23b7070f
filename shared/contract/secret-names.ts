interface SecretFacts {
  readonly meaning: string;
  /** Whether operators may rotate it. The stack protects all other secrets against new values. */
  readonly isRotated: boolean;
}

/** Random secrets that the stack creates at its first deployment. Keys are derived from them. */
export const secrets = {
  signing: { meaning: 'signs deliveries and unsubscribe links', isRotated: true },
  naming: {
    meaning: 'derives subscription ids, so that no id reveals an address; it must never change',
    isRotated: false,
  },
} as const satisfies Record<string, SecretFacts>;

export type SecretName = keyof typeof secrets;

/** How long (minutes) a function may cache a secret. A rotation has taken effect everywhere after this time. */
export const secretMinutes = 5;
