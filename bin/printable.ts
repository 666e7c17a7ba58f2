/**
 * Text of somebody else (an API server's message, a pod's log, a name) as one line that does to a terminal what it looks
 * like: control characters, escape sequences among them, become spaces.
 */
export function printable(text: string): string {
  return text.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
}
