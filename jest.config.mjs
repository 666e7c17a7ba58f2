/** Fast tests and end-to-end tests run in one go; the rig is started once by the global set-up. */
export default {
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/rig/global-setup.mjs',
  globalTeardown: '<rootDir>/test/rig/global-teardown.mjs',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        module: { type: 'commonjs', ignoreDynamic: true },
      },
    ],
  },
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^fleetwright$': '<rootDir>/lib/index.ts',
    '^fleetwright/(constructs|engine)$': '<rootDir>/lib/$1/index.ts',
    '^fleetwright/pulumi$': '<rootDir>/lib/providers/pulumi/index.ts',
  },
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};
