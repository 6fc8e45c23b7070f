import { type ExecFileSyncOptions, execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { afterAll, describe, expect, test } from 'vitest';
import { yamlOf } from '../../infra/build/openapi-yaml.ts';
import { openApi } from '../../shared/contract/openapi.ts';
import { everyNth } from '../harness/every-nth.ts';

const folder = mkdtempSync(join(tmpdir(), 'other-tools-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): string => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const python = write('read.py', 'import json, sys, yaml\nprint(json.dumps(yaml.safe_load(sys.stdin)))\n');

const java = write(
  'Read.java',
  `
public class Read {
  public static void main(String[] args) throws Exception {
    Object value = new org.yaml.snakeyaml.Yaml().load(System.in);
    System.out.println(new com.fasterxml.jackson.databind.ObjectMapper().writeValueAsString(value));
  }
}
`,
);

const go = write(
  'read.go',
  `package main

import (
	"context"
	"encoding/json"
	"io"
	"os"

	"github.com/getkin/kin-openapi/openapi3"
	"gopkg.in/yaml.v3"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	text, err := io.ReadAll(os.Stdin)
	must(err)
	file, err := openapi3.NewLoader().LoadFromData(text)
	must(err)
	must(file.Validate(context.Background()))
	var value interface{}
	must(yaml.Unmarshal(text, &value))
	must(json.NewEncoder(os.Stdout).Encode(value))
}
`,
);

// The generated Java code needs two annotations and a wrapper class that Debian does not package.
const javaClasses = {
  'io.swagger.annotations.ApiModel': '@interface ApiModel { String description(); }',
  'io.swagger.annotations.ApiModelProperty':
    '@interface ApiModelProperty { String value(); String example() default ""; boolean required() default false; }',
  'org.openapitools.jackson.nullable.JsonNullable': `record JsonNullable<T>(T get) {
    public static <T> JsonNullable<T> of(T value) { return new JsonNullable<>(value); }
    public static <T> JsonNullable<T> undefined() { return of(null); }
    public boolean isPresent() { return get != null; }
    public T orElse(T other) { return get == null ? other : get; }
  }`,
};
for (const [name, text] of Object.entries(javaClasses))
  write(`${name.replaceAll('.', '/')}.java`, `package ${name.replace(/\.\w+$/, '')}; public ${text}`);

const environment = {
  ...process.env,
  ...{ REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  // Programs that run for seconds do not profit from Java's optimizing compiler.
  JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC',
  ...{ GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(folder, 'cache'), GOFLAGS: '' },
};

const parsers: readonly [name: string, command: string, args: readonly string[]][] = [
  ['PyYAML', 'python3', [python]],
  ['SnakeYAML', 'java', ['-cp', '/usr/share/java/*', java]],
  ["Go's yaml.v3, after kin-openapi has validated the file", 'go', ['run', go]],
];

const addresses = { baseUrl: 'https://registry.example.org', tokenUrl: 'https://issuer.example.org/token' };

const run = (command: string, args: readonly string[], options: ExecFileSyncOptions = {}) =>
  execFileSync(command, args, { env: environment, cwd: folder, stdio: 'pipe', ...options }).toString();

const packages = join(import.meta.dirname, '../../node_modules');

/** Returns the problems that the strictest rules of Redocly find in a document. */
function lintWithRedocly(document: object): string[] {
  const file = write('linted.json', JSON.stringify(document));
  const lint = [
    `${packages}/@redocly/cli/bin/cli.js`,
    'lint',
    file,
    '--extends',
    'recommended-strict',
    '--format',
    'json',
  ];
  const { stdout } = spawnSync(process.execPath, lint, { cwd: folder, env: environment, encoding: 'utf8' });
  return (JSON.parse(stdout) as { problems: { message: string }[] }).problems.map(({ message }) => message);
}

/** Returns the problems that the OpenAPI rules in Spectral find in a document. */
async function lintWithSpectral(document: object): Promise<string[]> {
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[oas, 'recommended']] } as unknown as RulesetDefinition);
  const found = await spectral.run(document as Record<string, unknown>);
  return found.map(({ message, path }) => `${message} (${path.join('.')})`);
}

const described = { ...addresses, extraAttributes: ['nationalId'] };

test.each(['all', 'identity', 'notification'] as const)('the OpenAPI file has no problems: %s', async (part) => {
  const document = openApi(described, part);
  expect(lintWithRedocly(document)).toEqual([]);
  expect(await lintWithSpectral(document)).toEqual([]);
});

test('Redocly and Spectral find problems in an invalid OpenAPI file', async () => {
  const { info: _, ...wrong } = openApi(described, 'identity');
  expect(lintWithRedocly(wrong)).not.toEqual([]);
  expect(await lintWithSpectral(wrong)).not.toEqual([]);
});

const anyType = 'oas_any_type_not_mapped';
// OpenAPI Generator 4.3.1 needs these mappings for schemas without a type.
const javaOptions = `--library resttemplate --additional-properties dateLibrary=java8
  --type-mappings ${anyType}=Object --import-mappings ${anyType}=java.lang.Object`.split(/\s+/);
const jar = join(
  import.meta.dirname,
  '../../node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar',
);

describe.each(['notification', 'identity'] as const)('%s.yaml', (part) => {
  const file = openApi(described, part);
  const text = yamlOf(file);
  const paths = Object.values(file.paths as Record<string, Record<string, { readonly operationId: string }>>);
  const operations = paths.flatMap((path) => Object.values(path).map(({ operationId }) => operationId));

  test.each(parsers)('the parser %s finds the values of the contract in the YAML file', (_, command, args) => {
    expect(JSON.parse(run(command, args, { input: text }))).toEqual(JSON.parse(JSON.stringify(file)));
  });

  /** Generates a client. Returns its folder. */
  function generate(language: string, ...options: readonly string[]): string {
    const client = join(folder, `${part}-${language}`);
    const input = write(`${part}.yaml`, text);
    run('java', ['-jar', jar, 'generate', '-i', input, '-g', language, '-o', client, ...options]);
    return client;
  }

  const methodsIn = (files: readonly string[], pattern: RegExp): string[] =>
    files.flatMap((name) => [...readFileSync(name, 'utf8').matchAll(pattern)].map(([, method = '']) => method));

  const clients: readonly [language: string, names: readonly string[], methods: () => string[]][] = [
    [
      'Java',
      operations,
      () => {
        const client = generate('java', ...javaOptions);
        const sources = globSync(join(client, 'src/main/**/*.java'));
        const options = ['-proc:none', '-d', client, '-cp', '/usr/share/java/*', '-sourcepath', folder];
        run('javac', [...options, ...sources]);
        const apis = sources.filter((name) => name.endsWith('Api.java'));
        return methodsIn(apis, /^ {4}public \S+ (\w+)\(/gm);
      },
    ],
    [
      'Go',
      operations.map((name) => name.replace(/^./, (letter) => letter.toUpperCase())),
      () => {
        const client = generate('go-experimental');
        run('go', ['vet', '.'], { cwd: client });
        return methodsIn(globSync(join(client, 'api_*.go')), /^func \(\w+ \*\w+Service\) (\w+)\(/gm);
      },
    ],
  ];

  const sample = everyNth(clients, 2, part === 'identity' ? 0 : 1);
  test.each(sample)('the generated %s client compiles and has a method for each operation', (_, names, methods) => {
    expect(methods()).toEqual(expect.arrayContaining([...names]));
  });
});
