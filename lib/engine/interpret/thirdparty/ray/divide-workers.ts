/**
 * Divide workers over groups in proportion to what they have; the last group gets the remainder.
 *
 * Shares are rounded half up. Where no group has any, equal parts, the first groups one more. The result has the order
 * of `current`. Source: lifecycle reference §5.3, RayService.
 *
 * @example divideWorkers(10, [1, 2, 4]) // [1, 3, 6]
 */
export function divideWorkers(workers: number, current: readonly number[]): readonly number[] {
  const total = current.reduce((sum, count) => sum + count, 0);
  const groups = current.length;
  if (total === 0) {
    const extra = workers % groups;
    return current.map((_, i) => Math.floor(workers / groups) + (i < extra ? 1 : 0));
  }
  let left = workers;
  return current.map((count, i) => {
    // More than is left can be due when several shares are rounded up.
    const share =
      i === groups - 1 ? left : Math.min(left, Math.floor((workers * count) / total + 0.5));
    left -= share;
    return share;
  });
}
