import * as nodeModule from 'node:module';

/**
 * Compiled code of everything loaded after this is kept in the folder for temporary files, as TypeScript's own compiler
 * does it. NODE_DISABLE_COMPILE_CACHE=1 turns it off; a Node too old to have it goes without.
 */
(nodeModule as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();
