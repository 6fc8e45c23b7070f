export interface References {
  ref(logicalId: string, place: string): unknown;
  attribute(logicalId: string, name: string, place: string): unknown;
  condition(name: string, place: string): boolean;
  findInMap(map: string, first: string, second: string): unknown;
  importValue(exportName: string, place: string): unknown;
}

const noValue = Symbol('AWS::NoValue');

function stringList(value: unknown, place: string): string[] {
  if (!Array.isArray(value)) throw new Error(`${place}: expected a list, got ${JSON.stringify(value)}`);
  return value.map((item) => String(item));
}

function substitute(
  template: string,
  variables: Record<string, unknown>,
  references: References,
  place: string,
): string {
  return template.replace(/\$\{(!?)([^}]+)\}/g, (_whole, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (Object.hasOwn(variables, name)) return String(variables[name]);
    const [logicalId = name, ...attribute] = name.split('.');
    return String(
      attribute.length > 0
        ? references.attribute(logicalId, attribute.join('.'), place)
        : references.ref(logicalId, place),
    );
  });
}

function apply(name: string, argument: unknown, references: References, place: string): unknown {
  const walk = (value: unknown) => resolveIntrinsics(value, references, place);
  if (name === 'Ref') return argument === 'AWS::NoValue' ? noValue : references.ref(String(argument), place);
  if (name === 'Condition') return references.condition(String(argument), place);
  if (name === 'Fn::If') {
    // Resolves only the chosen branch of `Fn::If`, because the other branch may refer to resources that do not exist.
    const [condition, yes, no] = argument as [string, unknown, unknown];
    const chosen = references.condition(condition, place) ? yes : no;
    return isNoValue(chosen) ? noValue : walk(chosen);
  }
  if (name === 'Fn::GetAtt') {
    const [logicalId = '', ...attribute] =
      typeof argument === 'string' ? argument.split('.') : stringList(walk(argument), place);
    return references.attribute(logicalId, attribute.join('.'), place);
  }
  if (name === 'Fn::Sub') {
    const [template, variables] = Array.isArray(argument) ? argument : [argument, {}];
    return substitute(String(template), walk(variables) as Record<string, unknown>, references, place);
  }
  const value = walk(argument);
  const list = Array.isArray(value) ? value : [value];
  switch (name) {
    case 'Fn::Join':
      return stringList(list[1], place).join(String(list[0]));
    case 'Fn::Split':
      return String(list[1]).split(String(list[0]));
    case 'Fn::Select':
      return (list[1] as unknown[])[Number(list[0])];
    case 'Fn::FindInMap':
      return references.findInMap(String(list[0]), String(list[1]), String(list[2]));
    case 'Fn::ImportValue':
      return references.importValue(String(value), place);
    case 'Fn::Base64':
      return Buffer.from(String(value)).toString('base64');
    case 'Fn::Equals':
      return String(list[0]) === String(list[1]);
    case 'Fn::Not':
      return !list[0];
    case 'Fn::And':
      return list.every(Boolean);
    case 'Fn::Or':
      return list.some(Boolean);
    default:
      throw new Error(`${place}: the local stack does not support the intrinsic function ${name}`);
  }
}

function isNoValue(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as { Ref?: unknown }).Ref === 'AWS::NoValue';
}

/** Resolves all CloudFormation intrinsics in a value. Error messages contain `place`. */
export function resolveIntrinsics(value: unknown, references: References, place: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return value.filter((item) => !isNoValue(item)).map((item) => resolveIntrinsics(item, references, place));
  }
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only && (only[0] === 'Ref' || only[0].startsWith('Fn::'))) {
    return apply(only[0], only[1], references, place);
  }
  const resolved: Record<string, unknown> = {};
  for (const [key, item] of entries) {
    const result = isNoValue(item) ? noValue : resolveIntrinsics(item, references, `${place}.${key}`);
    if (result !== noValue) resolved[key] = result;
  }
  return resolved;
}
