import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { yamlOf } from '../../infra/build/openapi-yaml.ts';
import { openApi } from '../../shared/contract/openapi.ts';

const folder = mkdtempSync(join(tmpdir(), 'parsers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const python = write('read.py', 'import json, sys, yaml\nprint(json.dumps(yaml.safe_load(sys.stdin)))\n');

const java = write(
  'Read.java',
  `
import java.util.*;
import java.util.stream.*;

public class Read {
  static String json(Object value) {
    if (value instanceof Map<?, ?> map)
      return map.entrySet().stream().map(e -> json(e.getKey()) + ":" + json(e.getValue())).collect(Collectors.joining(",", "{", "}"));
    if (value instanceof List<?> list)
      return list.stream().map(Read::json).collect(Collectors.joining(",", "[", "]"));
    if (!(value instanceof String text)) return String.valueOf(value);
    return text.chars().mapToObj(c -> String.format("\\\\u%04x", c)).collect(Collectors.joining("", "\\"", "\\""));
  }
  public static void main(String[] args) {
    System.out.println(json(new org.yaml.snakeyaml.Yaml().load(System.in)));
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

const goPath = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(folder, 'cache'), GOFLAGS: '' };

const parsers: readonly [name: string, command: string, args: readonly string[]][] = [
  ['PyYAML', 'python3', [python]],
  ['SnakeYAML', 'java', ['-cp', '/usr/share/java/snakeyaml.jar', java]],
  ["Go's yaml.v3, after kin-openapi has validated the file", 'go', ['run', go]],
];

const addresses = { baseUrl: 'https://registry.example.org', tokenUrl: 'https://issuer.example.org/token' };

describe.each(parsers)('%s', (_, command, args) => {
  test.each(['notification', 'identity'] as const)('reads the same values from %s.yaml as the contract has', (part) => {
    const file = openApi({ ...addresses, extraAttributes: ['nationalId'] }, part);
    const options = { input: yamlOf(file), encoding: 'utf8', env: { ...process.env, ...goPath } } as const;
    expect(JSON.parse(execFileSync(command, args, options))).toEqual(JSON.parse(JSON.stringify(file)));
  });
});
