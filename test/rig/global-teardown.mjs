export default async function tearDown() {
  await globalThis.__fleetwrightRig?.close();
}
