interface InterfaceFile {
  readonly mediaType: string;
  /** Which operations it describes; none where it is no description. */
  readonly part: 'all' | 'notification' | 'identity' | undefined;
}

/** What `/v1/{file}` answers: texts that are made when the functions are bundled. */
export const interfaceFiles = {
  'openapi.json': { mediaType: 'application/json', part: 'all' },
  'notification.yaml': { mediaType: 'application/yaml', part: 'notification' },
  'identity.yaml': { mediaType: 'application/yaml', part: 'identity' },
  health: { mediaType: 'application/json', part: undefined },
} as const satisfies Record<string, InterfaceFile>;

/** Stand in those texts where the address of this deployment and that of tokens have to; RFC 3986 has no braces, so no address is like them. */
export const interfaceMarks = { baseUrl: '{base_url}', tokenUrl: '{token_url}' } as const;
