/** Every scope that an operation may require, with its description. */
export const scopes = {
  'uin.generate': 'mint a UIN',
  'pr.person.read': 'find and read persons (population registry)',
  'cr.person.read': 'find and read persons (civil registry)',
  'pr.person.match': 'match attributes (population registry)',
  'cr.person.match': 'match attributes (civil registry)',
  'pr.person.verify': 'verify expressions (population registry)',
  'cr.person.verify': 'verify expressions (civil registry)',
  'pr.document.read': 'read documents (population registry)',
  'cr.document.read': 'read documents (civil registry)',
  'notif.sub.write': 'subscribe, confirm and unsubscribe',
  'notif.sub.read': 'list subscriptions',
  'notif.admin': 'in addition to the scope of an operation: see, change and end the subscriptions of all clients',
  'notif.topic.write': 'create and delete topics',
  'notif.topic.read': 'list topics',
  'notif.topic.publish': 'publish to a topic',
} as const;

export type Scope = keyof typeof scopes;

/**
 * The scope that allows a client to see and change other clients' subscriptions. By itself, this scope does not permit
 * any operation.
 */
export const adminScope = 'notif.admin' satisfies Scope;
