import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ROOT } from './millrace-process.js';

const PackageFile = z.object({ scripts: z.record(z.string(), z.string()) });
const { scripts } = PackageFile.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
const { npmCommand, installedProgram } = await import(pathToFileURL(join(ROOT, 'scripts/programs.mjs')).href);

describe('the package scripts', () => {
  it('use nothing of a shell except `exec`, which Windows finds in this folder', () => {
    for (const command of Object.values(scripts)) {
      expect(command).toMatch(/^(exec )?(node scripts\/[\w-]+\.mjs|drizzle-kit)( [\w./-]+)*$/);
    }
    expect(readFileSync(join(ROOT, 'exec.cmd'), 'utf8')).toBe('@%*\r\n');
  });

  it('start the programs of packages without the scripts of node_modules/.bin', () => {
    for (const name of ['biome', 'tsc', 'vite', 'vitest']) {
      expect(readFileSync(installedProgram(join(ROOT, 'node_modules'), name), 'utf8')).toMatch(/^#!.*node\n/);
    }
  });
});

describe('npm', () => {
  const WINDOWS = { platform: 'win32', execPath: 'C:\\node\\node.exe' };
  const LINUX = { platform: 'linux', execPath: '/usr/bin/node' };
  const only = (file: string) => (path: string) => path === file;

  it('is the one that runs the script', () => {
    const npmExecpath = 'D:\\npm\\bin\\npm-cli.js';
    expect(npmCommand({ ...WINDOWS, npmExecpath, exists: () => true })).toEqual([WINDOWS.execPath, npmExecpath]);
  });

  it('is the one beside Node if another package manager runs the script, or none does', () => {
    const onWindows = 'C:\\node\\node_modules\\npm\\bin\\npm-cli.js';
    const onLinux = '/usr/lib/node_modules/npm/bin/npm-cli.js';
    expect(npmCommand({ ...WINDOWS, npmExecpath: 'C:\\pnpm\\pnpm.cjs', exists: () => true })).toEqual([
      WINDOWS.execPath,
      onWindows,
    ]);
    expect(npmCommand({ ...WINDOWS, exists: only(onWindows) })).toEqual([WINDOWS.execPath, onWindows]);
    expect(npmCommand({ ...LINUX, exists: only(onLinux) })).toEqual([LINUX.execPath, onLinux]);
  });

  it('is a program on the PATH if it is nowhere else', () => {
    expect(npmCommand({ ...LINUX, exists: () => false })).toEqual(['npm']);
  });
});
