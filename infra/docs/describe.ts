import { OptionError, parseArguments, readOrEnd, usageError } from '../operate/command-line.ts';
import { subjects } from './subjects.ts';

const usage = `npm run -s describe -- SUBJECT [NAME]

Prints all entries of the subject, or the entry with this name.

  alarms      the condition and the impact of each kind of alarm, and what to check
  functions   what calls each function, who is affected while it fails, and its permissions
  logs        the internal errors in the logs: their meaning and their ids
  metrics     the metrics of the functions
  settings    the settings of a stage and their defaults
  journal     the fields of a row in the access journal
  retention   what is stored where, about whom, and for how long
  keyPolicy   the statements that the policy of your own key needs, besides the account's (setting keyArn)
  queues      what each queue contains, and the functions that read it`;

const command = 'npm run -s describe --';
const asked = `${command} --help`;

const entries = readOrEnd(usage, () => {
  const { values, positionals } = parseArguments(process.argv.slice(2), {}, asked, 2);
  if ('help' in values) return 'help';
  const [subject, name] = positionals;
  if (subject === undefined) throw usageError('Name a subject', asked);
  const all = subjects[subject];
  if (all === undefined) throw usageError(`There is no subject ${subject}`, asked);
  const chosen = all.filter(([one]) => name === undefined || one === name);
  if (chosen.length === 0) throw new OptionError(`${subject}: there is no ${name}; ${command} ${subject} lists all`);
  return chosen;
});

const texts = entries.map(([name, properties]) => {
  const known = Object.entries(properties).filter(([, value]) => value !== '');
  return [name, ...known.map(([property, value]) => `  ${property}: ${value}`)].join('\n');
});
console.log(texts.join('\n\n'));
