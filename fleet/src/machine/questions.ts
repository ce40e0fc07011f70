import type { Machine } from '../world'
import type { Outcome } from './chores'
import { fetchFile, type NamedFile } from './fetchFile'

const NOTE = 'questions'
export const questionsOf = ({ world, code }: Machine): number =>
  (world.outbox.memory(code).get(NOTE) as number | undefined) ?? 0

/** Fetches the list and shows it instead of the one before. What it says need not be kept: it has no screen. */
export async function takeQuestions(machine: Machine, data: Record<string, unknown>): Promise<Outcome> {
  const { version, url, sha256, bytes } = data as Partial<NamedFile & { version: number }>
  if (typeof version !== 'number' || !url || !sha256 || typeof bytes !== 'number') {
    return { state: 'refused', detail: 'malformed' }
  }
  if (version < questionsOf(machine)) return { state: 'refused', detail: 'outdated' }
  machine.screen.questions += 1
  const { questions } = machine.screen
  const why = await fetchFile(
    machine,
    { url, sha256, bytes },
    () => machine.isOn && machine.screen.questions === questions,
  )
  return why ? { state: 'failed', detail: why } : { state: 'done', result: { version }, remember: { [NOTE]: version } }
}
