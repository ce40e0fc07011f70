import type { Refusal } from './refuse'

/**
 * A write that a named constraint of the database turns down is an expected refusal: the constraint decides, however
 * many ask at once. The transaction is over then, as with any refusal.
 */
export async function refusedBy<T>(constraint: string, write: Promise<T>, refusal: () => Refusal): Promise<T> {
  try {
    return await write
  } catch (thrown) {
    if (violated(thrown) === constraint) throw refusal()
    throw thrown
  }
}

const violated = (thrown: unknown): unknown =>
  typeof thrown === 'object' && thrown !== null && 'constraint' in thrown ? thrown.constraint : undefined
