import { COUNTER, HOST } from './instrument.ts';
import { EXTERNAL } from './resolve.ts';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

interface SourceMap {
  readonly mappings: string;
  readonly sources: readonly string[];
}

/**
 * Turns a bundled ES module into the body of one async function. An ES module is never freed once it was imported, and cannot
 * be given a host's instance of a package; a function can, and keeps top-level await. No line moves, except down by one.
 */
export async function wrap(code: string, map: SourceMap, isCommonJs: boolean): Promise<string> {
  const [{ parseSync }, { default: MagicString }] = await Promise.all([import('oxc-parser'), import('magic-string')]);
  const program = parseSync('bundle.mjs', code, { lang: 'js', sourceType: 'module' }).program as unknown as Node;
  const edit = new MagicString(code);
  const head: string[] = [];
  const needed = new Set<number>();
  const names: string[] = [];
  const spread: string[] = [];

  const blank = (node: Node, text = ''): void => {
    edit.update(node.start, node.end, text + '\n'.repeat(code.slice(node.start, node.end).split('\n').length - 1));
  };

  // A line for the shell may only be the first one.
  if (code.startsWith('#!')) edit.update(0, 2, '//');
  for (const statement of program['body'] as Node[]) {
    const index = externalIndex(statement['source']);
    switch (statement.type) {
      case 'ImportDeclaration':
        needed.add(index);
        for (const specifier of statement['specifiers'] as Node[]) {
          const local = nameOf(specifier['local']);
          head.push(`const ${local}=${importExpression(specifier, index)};`);
        }
        blank(statement);
        break;
      case 'ExportAllDeclaration':
        needed.add(index);
        spread.push(`${HOST}.all(${index})`);
        blank(statement);
        break;
      case 'ExportDefaultDeclaration': {
        const value = statement['declaration'] as Node;
        edit.update(statement.start, value.start, `const ${HOST}d=`);
        names.push(`["default",()=>${HOST}d]`);
        break;
      }
      case 'ExportNamedDeclaration':
        for (const specifier of statement['specifiers'] as Node[]) {
          const local = nameOf(specifier['local']);
          names.push(`[${JSON.stringify(nameOf(specifier['exported']))},()=>${local}]`);
        }
        blank(statement);
        break;
      default:
        dynamicImports(statement, (call, index) => {
          const text = `${HOST}.load(${index})`;
          edit.update(call.start, call.end, text.padEnd(call.end - call.start));
        });
    }
  }
  const first = `module.exports=[[${[...needed]}],async(${HOST},${COUNTER})=>{"use strict";${head.join('')}\n`;
  const last = `\nreturn ${HOST}.namespace([${names.join(',')}],[${spread.join(',')}],${isCommonJs})}];\n`;
  const url = Buffer.from(JSON.stringify({ ...map, mappings: `;${map.mappings}` })).toString('base64');
  return `${first}${edit.toString()}${last}//# sourceMappingURL=data:application/json;base64,${url}\n`;
}

function importExpression(specifier: Node, index: number): string {
  if (specifier.type === 'ImportNamespaceSpecifier') return `${HOST}.star(${index})`;
  const name = specifier.type === 'ImportDefaultSpecifier' ? 'default' : nameOf(specifier['imported']);
  return `${HOST}.pick(${index},${JSON.stringify(name)})`;
}

/** An identifier, or a string where a name is not one. */
function nameOf(node: unknown): string {
  const { name, value } = node as { name?: string; value?: string };
  return name ?? value ?? '';
}

function externalIndex(source: unknown): number {
  const value = String((source as { value?: unknown } | null | undefined)?.value ?? '');
  return value.startsWith(EXTERNAL) ? Number(value.slice(EXTERNAL.length)) : -1;
}

function dynamicImports(root: Node, found: (call: Node, index: number) => void): void {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const item = stack.pop();
    if (typeof item !== 'object' || item === null) continue;
    if ((item as Node).type === 'ImportExpression') {
      const index = externalIndex((item as Node)['source']);
      if (index >= 0) found(item as Node, index);
    }
    for (const child of Object.values(item)) stack.push(child);
  }
}
