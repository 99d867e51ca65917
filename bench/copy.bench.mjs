// Copying and freezing a conversation of 2,000 messages, against structuredClone, which does not freeze, and against
// structuredClone followed by a deep freeze.
import { freezeCopy } from '@trotline/engine/kernel';

const message = (i) => ({
  role: i % 2 === 0 ? 'user' : 'assistant',
  id: `m${i}`,
  content: [
    { type: 'text', text: `message ${i} ${'x'.repeat(200)}` },
    { type: 'tool_use', id: `t${i}`, name: 'Bash', input: { command: `ls -la ${i}`, cwd: '/tmp' } },
  ],
});
const messages = JSON.parse(JSON.stringify(Array.from({ length: 2000 }, (_, i) => message(i))));

function deepFreeze(value) {
  if (value === null || typeof value !== 'object') return value;
  for (const key of Object.keys(value)) deepFreeze(value[key]);
  return Object.freeze(value);
}

export const title = 'copy and freeze';

/** @param {import('./measure.mjs').Measure} measure */
export async function run({ compare }) {
  const known = freezeCopy(messages);
  return [
    ...(await compare('2,000 messages, all new', 'trotline', {
      trotline: () => freezeCopy(messages),
      structuredClone: () => structuredClone(messages),
      'structuredClone + freeze': () => deepFreeze(structuredClone(messages)),
    })),
    ...(await compare('2,000 messages known, 1 new', 'trotline', {
      trotline: () => freezeCopy([...known, message(2000)]),
      structuredClone: () => structuredClone([...messages, message(2000)]),
    })),
  ];
}
