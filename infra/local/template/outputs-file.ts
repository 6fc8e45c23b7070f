import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { LocalOutputs } from '../aws/template/outputs.ts';
import { isGone } from '../npm-ancestors.ts';

/** Where a running stack says what it is called and where it is, below the folder that it was started in. */
const outputsFolder = '.local';
const usualFile = 'outputs.json';

// They are written again when a stack changes.
const written = new Set<string>();

function read(file: string): LocalOutputs | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LocalOutputs;
  } catch {
    return undefined;
  }
}

async function answers({ hostname: host, port }: URL): Promise<boolean> {
  const socket = connect({ host, port: Number(port) });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A crash leaves its file behind, and its process number may be another's today: so the stack must answer, too. */
async function isRunning({ processId, baseUrl }: LocalOutputs): Promise<boolean> {
  return Number.isInteger(processId) && !isGone(processId) && answers(new URL(baseUrl));
}

/**
 * Writes what a stack is called and where it is, and takes it away again when this process ends. The first stack in a
 * folder has `outputs.json`; one that runs beside it has a file with its port.
 * @returns the file
 */
export async function writeOutputs(outputs: LocalOutputs, folder = outputsFolder): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const usual = join(folder, usualFile);
  const present = read(usual);
  const isTaken = present !== undefined && present.baseUrl !== outputs.baseUrl && (await isRunning(present));
  const file = isTaken ? join(folder, `outputs-${new URL(outputs.baseUrl).port}.json`) : usual;
  writeFileSync(file, `${JSON.stringify(outputs, null, 2)}\n`);
  if (written.has(file)) return file;
  written.add(file);
  process.once('exit', () => {
    if (read(file)?.processId === outputs.processId) rmSync(file, { force: true });
  });
  return file;
}

/** What the stacks say that run in a folder, the one of `outputs.json` first. */
export async function readOutputs(folder = outputsFolder): Promise<LocalOutputs[]> {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^outputs(?:-\d+)?\.json$/.test(name));
  // `-` sorts before `.`.
  const found = names
    .toSorted()
    .reverse()
    .flatMap((name) => read(join(folder, name)) ?? []);
  const running = await Promise.all(found.map(isRunning));
  return found.filter((_, index) => running[index]);
}

/**
 * What the stack says that a command means by `--port`, or the first where none is given.
 * @throws Error where none runs
 */
export async function outputsOf(port: string | undefined): Promise<LocalOutputs> {
  const running = await readOutputs();
  const outputs = running.find(({ baseUrl }) => port === undefined || new URL(baseUrl).port === port);
  if (outputs) return outputs;
  const where = port === undefined ? 'here' : `at port ${port}`;
  throw new Error(`no stack runs ${where}: npm start runs one, and --stack NAME means one on AWS`);
}
