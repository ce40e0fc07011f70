import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'
import type { Ended } from './command.store'
import { takingState } from './taking.state'

const verbs: Record<Ended['state'], keyof typeof takingState.moves> = {
  done: 'finish',
  failed: 'fail',
  refused: 'fail',
  expired: 'miss',
  cancelled: 'miss',
}

/** What machines said of the software that they were to take; the waves are moved by a job. */
export async function takeRolloutResults(tx: Tx, all: readonly Ended[]): Promise<void> {
  const ended = all
    .filter(({ type }) => type === 'update_app')
    .map(({ id, state, detail }) => ({
      id,
      state: takingState.to(verbs[state]),
      detail: detail?.slice(0, 120) ?? null,
    }))
  if (ended.length === 0) return
  await sql`update rollout_machine r set state = e.state, detail = e.detail
    from ${rows('e', ended, { id: 'uuid', state: 'text', detail: 'text' })} where r.command_id = e.id`.execute(tx)
}
