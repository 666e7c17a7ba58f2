import { NetworkFailure, toNetworkFailure } from './network-failure.js';

/**
 * The lines of a byte stream, without their ends. An unfinished last line means that the stream broke, and is an error;
 * a reader that stops early closes the stream.
 *
 * @throws NetworkFailure
 */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of stream) {
      const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield line;
    }
  } catch (error) {
    throw toNetworkFailure(error, false, false, false);
  }
  if (rest !== '')
    throw new NetworkFailure('unreachable', 'the stream ended in the middle of an event', false);
}
