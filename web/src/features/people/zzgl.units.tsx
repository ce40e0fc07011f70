import { organisationState, getOrganisation, treeOrganisations } from '@aisle/contract/people/organisation'
import { screenOf } from '@aisle/contract/screens'
import { useId } from 'react'
import { z } from 'zod'
import { Failure } from '../../admin/failure'
import { useAddress } from '../../admin/useAddress'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { Empty } from '../../ui/feedback/empty'
import { Hints } from '../../ui/feedback/hint'
import { Tree } from '../../ui/control/tree'
import { useText } from '../../ui/text'
import styles from './people.module.css'
import { type Branch, indented } from './tree.rules'
import { UnitPanel } from './unitPanel'
import { AddUnit, UnitsContext } from './unitVerbs'
import { classes } from '../../ui/classes'

const screen = screenOf('xtgl/zzgl')
const zKey = z.coerce.number().int().positive().optional()
const shape = { merchantId: zKey, unit: zKey }
const live = { kinds: ['organisation', 'user'], also: [] }

/**
 * For a merchant's administrator, when the company changes: its departments,
 * teams and operators, and who is in each.
 */
export default function UnitsPage() {
  const t = useText('people')
  const title = useText('screens').any(screen.key)
  const { query, show } = useAddress(screen.path, shape)
  const input = query.merchantId ? { merchantId: Number(query.merchantId) } : {}
  const { data, error, refetch } = useEndpoint(treeOrganisations, input, { errors: 'throw' })
  useLive(live, [treeOrganisations, getOrganisation])
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  const { merchantId, merchants, items, unassigned } = data
  const chosen = Number(query.unit) || null
  const at = (next: Record<string, string>) => show({ merchantId: String(merchantId), ...next })
  return (
    <UnitsContext value={items}>
      <div className="list-main">
        <header className="list-head">
          <h1>{title}</h1>
          <div className="list-actions">
            <AddUnit merchantId={merchantId} parentId={null} />
          </div>
        </header>
        {merchants.length > 1 && (
          <MerchantPick merchants={merchants} value={merchantId} onPick={(next) => show({ merchantId: next })} />
        )}
        <div className={styles.unitPage}>
          <section className={classes('list-card', styles.unitTree)} aria-label={title}>
            {items.length === 0 ? (
              <Empty icon="grid" title={t('unit.empty')} text={t('unit.empty.hint')} />
            ) : (
              <Tree
                label={title}
                mode="single"
                hasSearch
                open={items.map((unit) => unit.id)}
                nodes={items.map((unit) => ({
                  id: unit.id,
                  parentId: unit.parentId,
                  name: unit.name,
                  count: unit.memberTotal,
                  note: noteOf(unit.state, t(`unitKind.${unit.kind}`), t('organisationState.stopped')),
                }))}
                selected={new Set(chosen === null ? [] : [chosen])}
                onSelect={([unit]) => at(unit === undefined ? {} : { unit: String(unit) })}
              />
            )}
            {unassigned > 0 && <p className="quiet">{t('unit.unassigned', { count: unassigned })}</p>}
          </section>
          <section className={classes('list-card', styles.unitSide)} aria-label={t('unit.chosen')}>
            {chosen === null ? (
              <Empty icon="user" title={t('unit.nobody')} text={t('unit.nobody.hint')} />
            ) : (
              <UnitPanel key={chosen} id={chosen} onRemoved={() => at({})} />
            )}
          </section>
        </div>
        <Hints />
      </div>
    </UnitsContext>
  )
}

type PickProps = { merchants: readonly Branch[]; value: number; onPick: (merchantId: string) => void }

function MerchantPick({ merchants, value, onPick }: PickProps) {
  const t = useText('people')
  const id = useId()
  return (
    <p className={styles.line}>
      <label htmlFor={id}>{t('unit.merchant')}</label>
      <select
        id={id}
        className={classes(styles.search, styles.unitMerchant)}
        value={value}
        onChange={({ target }) => onPick(target.value)}
      >
        {indented(merchants).map((merchant) => (
          <option key={merchant.id} value={merchant.id}>
            {merchant.name}
          </option>
        ))}
      </select>
    </p>
  )
}

type State = (typeof organisationState.states)[number]
const noteOf = (state: State, kind: string, stopped: string) =>
  organisationState.is(state, 'stopped') ? `${kind} · ${stopped}` : kind
