type Asked = { productId: number; batch: string; storage: string | null }

/** What is wrong with the lines of goods that go together; null where nothing is. */
export function faultOfLines(lines: readonly Asked[]): 'transfer.twice' | 'transfer.batch' | null {
  if (lines.some(({ storage, batch }) => (storage !== null) !== (batch !== ''))) return 'transfer.batch'
  const keys = new Set(lines.map(({ productId, batch }) => `${productId}/${batch}`))
  return keys.size < lines.length ? 'transfer.twice' : null
}

/**
 * Of each line that was sent, what was missing when it was counted. Null where a line was counted that was not sent,
 * one was left out or counted twice, or more came than left.
 */
export function lostOf(
  sent: readonly { line: number; quantity: number }[],
  counted: readonly { line: number; arrived: number }[],
): Map<number, number> | null {
  const byLine = new Map(counted.map(({ line, arrived }) => [line, arrived]))
  if (byLine.size !== counted.length || byLine.size !== sent.length) return null
  const lost = new Map<number, number>()
  for (const { line, quantity } of sent) {
    const arrived = byLine.get(line)
    if (arrived === undefined || arrived > quantity) return null
    lost.set(line, quantity - arrived)
  }
  return lost
}
