import tseslint from 'typescript-eslint';

/** Folder rules of docs/adr/0001: dependencies point towards the engine, and the engine is pure. */
const engineIsPure = {
  files: ['lib/engine/**/*.ts'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: '^[^.]',
            message: 'lib/engine has no dependencies: take the value as an argument.',
          },
          {
            regex: '/(constructs|providers|bin)/',
            message: 'Dependencies point towards lib/engine.',
          },
        ],
      },
    ],
    'no-restricted-globals': [
      'error',
      'process',
      'console',
      'fetch',
      'performance',
      'crypto',
      'setTimeout',
      'setInterval',
    ],
    'no-restricted-properties': [
      'error',
      { object: 'Date', property: 'now', message: 'Use the `now` of the input.' },
      { object: 'Math', property: 'random', message: 'Break ties with a stable key.' },
    ],
    'no-restricted-syntax': [
      'error',
      {
        selector: "NewExpression[callee.name='Date'][arguments.length=0]",
        message: 'Use the `now` of the input.',
      },
      {
        selector: "CallExpression[callee.property.name='localeCompare']",
        message: 'Depends on the locale: use compare.ts.',
      },
      { selector: ':function[async=true]', message: 'The engine is synchronous.' },
    ],
  },
};

export default tseslint.config(
  {
    ignores: ['dist/**', 'node_modules/**', 'test/rig/**', '**/*.cjs', '**/expected/**', 'demo/**'],
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommended],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/require-array-sort-compare': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
    },
  },
  {
    files: ['lib/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only bin and examples read the environment.',
        },
        { object: 'process', property: 'argv', message: 'Only bin and examples read arguments.' },
        {
          object: 'process',
          property: 'cwd',
          message: 'Only bin and examples read the working directory.',
        },
      ],
    },
  },
  engineIsPure,
);
