export interface Statement {
  Effect: 'Allow' | 'Deny';
  Action?: string | string[];
  NotAction?: string | string[];
  Resource?: string | string[];
  NotResource?: string | string[];
  Condition?: Record<string, Record<string, unknown>>;
}

/** A requested action. Access is allowed if a policy allows the action on at least one of `resources`. */
export interface AccessRequest {
  action: string;
  resources: string[];
  /** The call's values for condition keys such as `ses:FromAddress`. */
  keys?: Record<string, string[]>;
  /** Whether the call belongs to a multipart upload. */
  isPart?: boolean;
}

type Verdict = 'allowed' | 'explicitly denied' | 'not granted';

const patterns = new Map<string, RegExp>();

/** Matches IAM wildcards: `*` matches any sequence of characters, `?` matches exactly one character. */
export function matchesPattern(pattern: string, value: string, flags = ''): boolean {
  const key = `${flags}:${pattern}`;
  let expression = patterns.get(key);
  if (!expression) {
    const source = pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '[^]*')
      .replaceAll('?', '[^]');
    expression = new RegExp(`^${source}$`, flags);
    patterns.set(key, expression);
  }
  return expression.test(value);
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [String(value)]);

const operators: Record<string, (expected: string, actual: string) => boolean> = {
  StringEquals: (expected, actual) => expected === actual,
  StringEqualsIgnoreCase: (expected, actual) => expected.toLowerCase() === actual.toLowerCase(),
  StringLike: (expected, actual) => matchesPattern(expected, actual),
  ArnEquals: (expected, actual) => matchesPattern(expected, actual),
  ArnLike: (expected, actual) => matchesPattern(expected, actual),
  Bool: (expected, actual) => expected === actual,
};

function conditionsHold(condition: Statement['Condition'], keys: Record<string, string[]>): boolean {
  return Object.entries(condition ?? {}).every(([operator, tests]) => {
    const [quantifier, name] = operator.includes(':') ? operator.split(':') : ['ForAnyValue', operator];
    const compare = operators[name ?? ''];
    return Object.entries(tests).every(([key, expected]) => {
      const actual = keys[key];
      if (!compare || !actual) return false;
      const holds = (value: string) => listOf(expected).some((candidate) => compare(candidate, value));
      return quantifier === 'ForAllValues' ? actual.every(holds) : actual.some(holds);
    });
  });
}

function covers(statement: Statement, action: string, resource: string): boolean {
  const actionMatches = (patternList: unknown) =>
    listOf(patternList).some((pattern) => matchesPattern(pattern, action, 'i'));
  const resourceMatches = (patternList: unknown) =>
    listOf(patternList).some((pattern) => matchesPattern(pattern, resource));
  const hasAction = statement.NotAction ? !actionMatches(statement.NotAction) : actionMatches(statement.Action);
  const hasResource = statement.NotResource
    ? !resourceMatches(statement.NotResource)
    : resourceMatches(statement.Resource);
  return hasAction && hasResource;
}

function judge(statements: Statement[], action: string, resource: string, keys: Record<string, string[]>): Verdict {
  const applying = statements.filter(
    (statement) => covers(statement, action, resource) && conditionsHold(statement.Condition, keys),
  );
  if (applying.some(({ Effect }) => Effect === 'Deny')) return 'explicitly denied';
  return applying.some(({ Effect }) => Effect === 'Allow') ? 'allowed' : 'not granted';
}

/** Evaluates policies as IAM does: an explicit Deny takes precedence, and access requires an Allow. */
export function evaluate(statements: Statement[], { action, resources, keys = {} }: AccessRequest): Verdict {
  const verdicts = resources.map((resource) => judge(statements, action, resource, keys));
  if (verdicts.includes('explicitly denied')) return 'explicitly denied';
  return verdicts.includes('allowed') ? 'allowed' : 'not granted';
}
