import type { Bus } from '../../kernel/announce'
import type { Services } from '../../kernel/context'
import { sayOtherwise } from '../../kernel/words'
import { readOverrides } from './languageEntry.store'

/** Every process says what this installation says otherwise, from its start on and after each change. */
export async function followWords({ db, log }: Services, bus: Bus): Promise<{ stop: () => void }> {
  const read = async () => sayOtherwise([...(await readOverrides(db)).values()])
  // Before the first reading: a change in between is then read a second time, not missed.
  const stop = bus.hear((announcement) => {
    if (announcement.topic !== 'changes') return
    const { kinds } = announcement
    if (kinds.length > 0 && !kinds.includes('languageEntry')) return
    read().catch((err: unknown) => log.error({ err }, 'words not read again'))
  })
  await read()
  return { stop }
}
