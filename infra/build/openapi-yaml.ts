import { Document, visit } from 'yaml';

// Only strings that match the pattern `plain` are written without quotes. YAML parsers disagree on which other strings
// are numbers, dates or Booleans.
const plain = /^\$?[A-Za-z](?:[\w ./'-]*\w)?\.?$/;
const reserved = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

const longestFlow = 120;

/** Converts a JSON document to YAML that parsers of YAML 1.1 and 1.2 read in the same way. */
export function yamlOf(value: object): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value !== 'string') return;
      if (node.value.includes('\n') && !node.value.includes('\r')) node.type = 'BLOCK_LITERAL';
      else node.type = plain.test(node.value) && !reserved.test(node.value) ? 'PLAIN' : 'QUOTE_DOUBLE';
    },
    Collection(_, node) {
      const json = JSON.stringify(node.toJSON());
      node.flow = json.length <= longestFlow && !json.includes('\\n');
    },
  });
  return document.toString({ lineWidth: 0, indentSeq: false, flowCollectionPadding: false });
}
