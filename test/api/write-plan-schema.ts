/** Rewrites docs/plan.schema.json: `npx tsx test/api/write-plan-schema.ts`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planJsonSchema } from '../../lib/api/plan-document.js';

const file = join(__dirname, '../../docs/plan.schema.json');
writeFileSync(file, `${JSON.stringify(planJsonSchema(), null, 2)}\n`);
