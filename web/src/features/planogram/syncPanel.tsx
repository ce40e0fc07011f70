import { getPlanogram, type Planogram, pushPlanogram } from '@aisle/contract/planogram/slot'
import { syncStates, type SyncState } from '@aisle/contract/planogram/sync'
import { CommandButton } from '../../admin/commandButton'
import { Ago } from '../../admin/fields/time'
import { Tag, type Tone } from '../../ui/tag'
import { useText } from '../../ui/text'
import { syncCounts } from './draft.rules'
import styles from './slots.module.css'
import { classes } from '../../ui/classes'

export const syncTones: Record<SyncState, Tone> = { in_sync: 'good', pending: 'busy', differs: 'bad', unknown: 'idle' }

/** Desired against reported, for the whole machine; a figure picks the slots that it counts. */
export function SyncPanel({ plan, onShow }: { plan: Planogram; onShow: (codes: string[]) => void }) {
  const t = useText('planogram')
  const device = useText('device')
  const counts = syncCounts(plan.slots)
  const [last] = plan.pushes
  return (
    <section className={classes('list-card', styles.sync)} aria-label={t('sync')}>
      <div className={styles.syncCounts}>
        {syncStates
          .filter((state) => counts[state] > 0)
          .map((state) => (
            <button
              key={state}
              type="button"
              className={styles.syncCount}
              onClick={() => onShow(plan.slots.filter(({ sync }) => sync === state).map(({ code }) => code))}
            >
              <Tag tone={syncTones[state]} word={t(`syncState.${state}`)} hint={t(`syncState.${state}.help`)} />
              <b>{counts[state]}</b>
            </button>
          ))}
      </div>
      <p className="quiet">
        {plan.snapshotAt === null ? (
          t('sync.never')
        ) : (
          <>
            {t('sync.reported')} <Ago at={plan.snapshotAt} />
          </>
        )}
        {last && (
          <>
            {' · '}
            {t('sync.lastPush')} {device.any(`command.${last.type}`)} <Tag {...stateOf(last.state, device)} />{' '}
            <Ago at={last.createdAt} />
            {last.createdBy && ` · ${last.createdBy}`}
          </>
        )}
      </p>
      <div className={styles.syncVerbs}>
        <CommandButton
          endpoint={pushPlanogram}
          verb="pushAll"
          t={t}
          target={{ id: plan.id, what: 'planogram' }}
          vars={{ code: plan.code, count: plan.slots.length }}
          isEnabled={!plan.isRetired}
          changes={[getPlanogram]}
        />
        <CommandButton
          endpoint={pushPlanogram}
          verb="pushPrices"
          t={t}
          target={{ id: plan.id, what: 'prices' }}
          vars={{ code: plan.code }}
          isEnabled={!plan.isRetired}
          changes={[getPlanogram]}
        />
      </div>
    </section>
  )
}

const pushTones: Record<Planogram['pushes'][number]['state'], Tone> = {
  queued: 'busy',
  sent: 'busy',
  received: 'busy',
  done: 'good',
  failed: 'bad',
  refused: 'bad',
  expired: 'warn',
  cancelled: 'idle',
}
const stateOf = (state: keyof typeof pushTones, t: { any: (key: string) => string }) => ({
  tone: pushTones[state],
  word: t.any(`commandState.${state}`),
})
