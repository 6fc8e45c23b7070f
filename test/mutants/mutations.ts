import ts from 'typescript5';

/** A change to one place in a source file. */
export interface Mutation {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const { SyntaxKind } = ts;

/** The operators that each kind of mutation replaces. */
const operators: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  comparison: { '===': '!==', '!==': '===', '<': '>=', '>': '<=', '<=': '>', '>=': '<' },
  boundary: { '<': '<=', '>': '>=', '<=': '<', '>=': '>' },
  logic: { '&&': '||', '||': '&&', '??': '&&' },
  arithmetic: { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' },
};

// Properties with these names contain messages for people, such as the steps of a runbook.
const textProperties =
  /^(descriptions?|summary|impact|meanings?|message|error|examples?|help|usage|title|hint|condition|check)$/;
// `field` describes a field of the API and contains an example.
const textCalls = /Error$|^console\.|^log|^field$/;

/** Returns whether a string is prose: it has at least four words in a row and no symbols that expressions use. */
const isProse = (text: string): boolean =>
  /(?:\(?[\p{L}\d’'`-]+[,.]? ){3}\(?\p{L}/u.test(text) && !/[={}<>]|#\w/.test(text);

// The first argument of ClientError and InternalError is a name, not a message.
const isErrorName = (node: ts.Node, { expression, arguments: given }: ts.CallExpression | ts.NewExpression): boolean =>
  given?.[0] === node && /^(Client|Internal)Error$/.test(expression.getText());

function isForPeople(node: ts.Node): boolean {
  const { parent } = node;
  if (parent === undefined) return false;
  if (ts.isPropertyAssignment(parent) && textProperties.test(parent.name.getText())) return true;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) {
    if (textCalls.test(parent.expression.getText())) return !isErrorName(node, parent);
  }
  return isForPeople(parent);
}

const isName = ({ parent }: ts.Node): boolean =>
  ts.isImportDeclaration(parent) ||
  ts.isExportDeclaration(parent) ||
  ts.isExternalModuleReference(parent) ||
  (ts.isCallExpression(parent) && parent.expression.kind === SyntaxKind.ImportKeyword);

const isKey = (node: ts.Node): boolean => ts.isPropertyAssignment(node.parent) && node.parent.name === node;

const isText = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/**
 * Returns an empty value of the same kind as the expression. The compiler accepts this value, so only tests can detect
 * the change.
 */
function emptied(node: ts.Expression): string {
  if (isText(node)) return "''";
  if (ts.isArrayLiteralExpression(node)) return '[]';
  const isList = ts.isCallExpression(node) && /\.(map|filter|flatMap|toSorted)$/.test(node.expression.getText());
  return isList ? '[]' : '(undefined as never)';
}

const isPredicate = (node: ts.ArrowFunction): boolean =>
  ts.isCallExpression(node.parent) &&
  /\.(filter|some|every|find|findIndex)$/.test(node.parent.expression.getText().replaceAll('?', ''));

type Change = readonly [kind: string, replacement: string, first?: ts.Node, last?: ts.Node];

const negated = (one: ts.Node): Change => ['condition', `!(${one.getText()})`, one];

function* ofOperator({ left, right, operatorToken }: ts.BinaryExpression): Generator<Change> {
  const isJoin = isText(left) || isText(right);
  for (const [kind, swaps] of Object.entries(operators)) {
    const swap = swaps[operatorToken.getText()];
    if (swap !== undefined && !(kind === 'arithmetic' && isJoin)) yield [kind, swap, operatorToken];
  }
}

function* ofLiteral(node: ts.Node): Generator<Change> {
  if (isKey(node) || isName(node) || isForPeople(node)) return;
  if (ts.isNumericLiteral(node)) {
    const value = Number(node.text);
    // Tests need not distinguish a timeout of 181 seconds from one of 180, so large numbers change by a factor of ten.
    const isSmall = value < 10;
    yield ['number', `${isSmall ? value + 1 : value * 10}`];
    yield ['number', `(${isSmall ? value - 1 : value / 10})`];
  }
  if (ts.isStringLiteralLike(node) && node.text !== '' && !isProse(node.text)) {
    yield ['text', ts.isStringLiteral(node) ? "''" : '``'];
  }
}

function* ofStatement(node: ts.Statement): Generator<Change> {
  if (ts.isIfStatement(node)) yield negated(node.expression);
  if (ts.isReturnStatement(node) && node.expression && node.expression.getText() !== 'undefined')
    yield ['return', emptied(node.expression), node.expression];
  const isExit = ts.isReturnStatement(node) || ts.isThrowStatement(node);
  const isConditional = ts.isIfStatement(ts.isBlock(node.parent) ? node.parent.parent : node.parent);
  const isCall = ts.isExpressionStatement(node) && !node.getText().startsWith('super(');
  if (isCall || (isExit && isConditional)) yield ['removal', '{}'];
}

function* ofArrow(node: ts.ArrowFunction): Generator<Change> {
  const { body } = node;
  if (!ts.isBlock(body)) yield isPredicate(node) ? negated(body) : ['return', emptied(body), body];
}

function* ofCall({ expression, arguments: [first, second, third] }: ts.CallExpression): Generator<Change> {
  if (first === undefined || second === undefined || third !== undefined) return;
  // The order of the arguments of `Math.min` and `Math.max` does not matter.
  if (/^Math\.(min|max)$/.test(expression.getText())) return;
  if ([first, second].some((one) => ts.isFunctionLike(one) || ts.isSpreadElement(one))) return;
  yield ['arguments', `${second.getText()}, ${first.getText()}`, first, second];
}

/** Returns the possible changes to one syntax node. A change replaces the node, or the nodes from `first` to `last`. */
function* changesOf(node: ts.Node): Generator<Change> {
  if (ts.isBinaryExpression(node)) yield* ofOperator(node);
  if (ts.isLiteralExpression(node)) yield* ofLiteral(node);
  if (ts.isStatement(node)) yield* ofStatement(node);
  if (ts.isArrowFunction(node)) yield* ofArrow(node);
  if (ts.isCallExpression(node)) yield* ofCall(node);
  if (ts.isConditionalExpression(node)) yield negated(node.condition);
  if (ts.isAwaitExpression(node)) yield ['await', `(${node.expression.getText()})`];
  if (ts.isSpreadAssignment(node)) yield ['removal', '...{}'];
  if (node.kind === SyntaxKind.TrueKeyword) yield ['boolean', 'false'];
  if (node.kind === SyntaxKind.FalseKeyword) yield ['boolean', 'true'];
  if (node.kind === SyntaxKind.QuestionDotToken) {
    yield ['optional chaining', ts.isPropertyAccessExpression(node.parent) ? '!.' : '!'];
  }
}

/** Returns all mutations of a source file, grouped by kind. Skips types, imports, comments, and messages for people. */
export function mutationsOf(text: string): Map<string, Mutation[]> {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const found = new Map<string, Mutation[]>();
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    for (const [kind, replacement, first = node, last = first] of changesOf(node)) {
      const [start, end] = [first.getStart(), last.getEnd()];
      if (text.slice(start, end) !== replacement) {
        found.set(kind, [...(found.get(kind) ?? []), { start, end, replacement }]);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
