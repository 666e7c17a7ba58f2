/** Rewrites docs/plan.schema.json: `npx tsx test/api/write-plan-schema.ts`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { planJsonSchema } from '../../lib/api/plan-document.js';

const file = join(__dirname, '../../docs/plan.schema.json');

async function main(): Promise<void> {
  const style = await resolveConfig(file);
  const text = await format(JSON.stringify(planJsonSchema()), { ...style, filepath: file });
  writeFileSync(file, text);
}

void main();
