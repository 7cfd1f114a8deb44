import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Component {
  readonly name: string;
  readonly version: string;
  readonly 'bom-ref': string;
  readonly licenses?: readonly { readonly license: { readonly id: string } }[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

interface Bom {
  readonly bomFormat: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const print = (): string => execFileSync(process.execPath, ['.ci/sbom.mjs'], { encoding: 'utf8' });
const installed = (name: string): string =>
  (JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as { version: string }).version;

describe('the bill of materials', () => {
  const printed = print();
  const bom = JSON.parse(printed) as Bom;
  const names = bom.components.map(({ name }) => name);

  it('lists Ajv, its formats and what these need, and nothing else', () => {
    expect(bom.bomFormat).toBe('CycloneDX');
    expect(bom.metadata.component.name).toBe('nestjs-mcp');
    expect(names).toEqual([
      'ajv',
      'ajv-formats',
      'fast-deep-equal',
      'fast-uri',
      'json-schema-traverse',
      'require-from-string',
    ]);
    expect(bom.dependencies[0]?.dependsOn.map((ref) => ref.replace(/@.*$/, ''))).toEqual([
      'pkg:npm/ajv-formats',
      'pkg:npm/ajv',
    ]);
  });

  it('names version, licence and digest of each, those that are installed', () => {
    for (const { name, version, licenses, hashes } of bom.components) {
      expect(version).toBe(installed(name));
      expect(licenses?.[0]?.license.id).toMatch(/^(MIT|BSD-3-Clause)$/);
      expect(hashes?.[0]?.content).toMatch(/^[0-9a-f]{128}$/);
    }
  });

  it('depends on nothing that it does not list, and is the same every time', () => {
    const refs = new Set([bom.metadata.component, ...bom.components].map((component) => component['bom-ref']));
    expect(
      bom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !refs.has(ref)),
    ).toEqual([]);
    expect(print()).toBe(printed);
  });
});
