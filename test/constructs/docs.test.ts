import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

/** What people pass is documented where they type it: every prop says what it is, and every optional one its default. */
const ROOT = resolve(__dirname, '../..');
const files = [
  ...readdirSync(join(ROOT, 'lib/constructs')).map((file) => `lib/constructs/${file}`),
  'lib/providers/pulumi/args.ts',
];

interface Prop {
  readonly where: string;
  readonly isOptional: boolean;
  readonly text: string;
  readonly defaults: readonly string[];
}

function propsOf(file: string): Prop[] {
  const source = ts.createSourceFile(
    file,
    ts.sys.readFile(join(ROOT, file)) ?? '',
    ts.ScriptTarget.ES2022,
    true,
  );
  return source.statements
    .filter(ts.isInterfaceDeclaration)
    .filter(({ modifiers }) => modifiers?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword))
    .flatMap(({ name, members }) =>
      members.filter(ts.isPropertySignature).map((member) => {
        const tags = ts.getJSDocTags(member).filter((tag) => tag.tagName.text === 'default');
        const comments = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc);
        return {
          where: `${file} ${name.text}.${member.name.getText()}`,
          isOptional: member.questionToken !== undefined,
          text: comments.map((c) => ts.getTextOfJSDocComment(c.comment) ?? '').join(''),
          defaults: tags.map((tag) => ts.getTextOfJSDocComment(tag.comment) ?? ''),
        };
      }),
    );
}

const props = files.flatMap(propsOf);

test('every prop is documented', () => {
  expect(props.length).toBeGreaterThan(50);
  expect(props.filter(({ text }) => text === '').map(({ where }) => where)).toEqual([]);
});

test('every optional prop says its default, and no other does', () => {
  const wrong = props.filter(
    ({ isOptional, defaults }) => isOptional !== (defaults.length === 1 && defaults[0] !== ''),
  );

  expect(wrong.map(({ where }) => where)).toEqual([]);
});
