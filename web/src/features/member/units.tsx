import { listMembers } from '@aisle/contract/member/member'
import * as contract from '@aisle/contract/member/memberUnit'
import { screenOf } from '@aisle/contract/screens'
import { use } from 'react'
import { z } from 'zod'
import { CommandButton } from '../../admin/commandButton'
import { Failure } from '../../admin/failure'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { MerchantInput } from '../../admin/form/refInput'
import { PartsContext } from '../../admin/parts'
import { useAddress } from '../../admin/useAddress'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { currentSession } from '../../live/session'
import { classes } from '../../ui/classes'
import { Tree } from '../../ui/control/tree'
import { Facts } from '../../ui/facts'
import { Empty } from '../../ui/feedback/empty'
import { Hints } from '../../ui/feedback/hint'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import styles from './member.module.css'

type Branch = contract.UnitBranch

const screen = screenOf('hygl/chygl')
const shape = { unit: z.coerce.number().int().positive().optional() }
const live = { kinds: ['memberUnit', 'member', 'memberCard'], also: [] }
const { fields } = contract.memberUnit
const changes = [contract.listMemberUnits, listMembers]

/** Schools, grades, classes and companies, and who belongs to each: at a term's start, and when somebody moves. */
export function UnitsPage() {
  const t = useText('member')
  const title = useText('screens').any(screen.key)
  const address = useAddress(screen.path, shape)
  const { data, error, refetch: again } = useEndpoint(contract.listMemberUnits, {}, { errors: 'throw' })
  useLive(live, [contract.listMemberUnits])
  const parts = use(PartsContext)
  if (!data) return error ? <Failure failure={error} retry={() => void again()} /> : <div className="bone" />
  const { items } = data
  const isShared = new Set(items.map(({ merchantId }) => merchantId)).size > 1
  const chosen = items.find(({ id }) => String(id) === address.query.unit)
  const pick = (id: number | undefined) => address.change({ unit: id === undefined ? undefined : String(id) })
  return (
    <div className="list-main">
      <header className="list-head">
        <h1>{title}</h1>
        <div className="list-actions">
          <AddRoot />
        </div>
      </header>
      {parts}
      <div className={styles.units}>
        <section className={classes('list-card', styles.part)} aria-label={t('part.units')}>
          {items.length === 0 ? (
            <Empty icon="grid" title={t('unit.empty')} text={t('unit.empty.hint')} />
          ) : (
            <Tree
              label={t('part.units')}
              mode="single"
              hasSearch
              nodes={items.map((each) => nodeOf(each, isShared))}
              selected={new Set(chosen ? [chosen.id] : [])}
              onSelect={([id]) => pick(id)}
            />
          )}
        </section>
        <section className={classes('list-card', styles.part)} aria-label={t('unit.chosen')}>
          {chosen ? (
            <Panel key={chosen.id} unit={chosen} items={items} onRemoved={() => pick(undefined)} />
          ) : (
            <Empty icon="grid" title={t('unit.none')} text={t('unit.none.hint')} />
          )}
        </section>
      </div>
      <Hints />
    </div>
  )
}

const nodeOf = ({ id, parentId, name, memberCount, merchantName }: Branch, isShared: boolean) => ({
  id,
  parentId,
  name,
  count: memberCount,
  ...(isShared && parentId === null && { note: merchantName }),
})

function AddRoot() {
  const t = useText('member')
  return (
    <CommandButton
      endpoint={contract.addMemberUnit}
      verb="addMemberUnit"
      t={t}
      tone="main"
      target={{ parentId: null }}
      fields={fields}
      inputs={{ merchantId: MerchantInput }}
      initial={{ merchantId: currentSession()?.info?.merchant.id, kind: 'school' }}
      changes={changes}
    />
  )
}

const kindBelow = { school: 'grade', grade: 'class', company: 'department' } as const

function Panel({ unit, items, onRemoved }: { unit: Branch; items: readonly Branch[]; onRemoved: () => void }) {
  const t = useText('member')
  const { id, version, name, kind, merchantId, merchantName, memberCount, cardCount } = unit
  const children = items.filter((each) => each.parentId === id).length
  const common = { t, fields, changes, vars: { name } }
  const below = kind in kindBelow ? kindBelow[kind as keyof typeof kindBelow] : undefined
  const way = wayTo(items, unit).join(' / ')
  return (
    <div className={styles.panel}>
      <div>
        <p className="quiet">{way}</p>
        <h2>{name}</h2>
        <StateCell value={kind} field={fields.kind} t={t} />
      </div>
      <div className={styles.verbs}>
        {below && (
          <CommandButton
            {...common}
            endpoint={contract.addMemberUnit}
            verb="addMemberUnitBelow"
            target={{ merchantId, parentId: id }}
            initial={{ kind: below }}
          />
        )}
        <CommandButton
          {...common}
          endpoint={contract.editMemberUnit}
          verb="editMemberUnit"
          target={{ id, version }}
          initial={{ name }}
        />
        <CommandButton
          {...common}
          endpoint={contract.removeMemberUnit}
          verb="removeMemberUnit"
          tone="danger"
          target={{ id }}
          isEnabled={children + memberCount === 0}
          onDone={() => {
            toast('good', t('verb.removeMemberUnit.done', { name }))
            onRemoved()
          }}
        />
      </div>
      <Facts
        facts={[
          {
            label: t('field.memberCount'),
            value: (
              <ScreenLink screen="hygl/wdhy" search={{ unit: way }}>
                {countText(memberCount)}
              </ScreenLink>
            ),
          },
          { label: t('field.cardCount'), value: countText(cardCount) },
          { label: t('field.merchantName'), value: merchantName },
        ]}
      />
    </div>
  )
}

function wayTo(items: readonly Branch[], { parentId, name }: Branch): string[] {
  const parent = items.find(({ id }) => id === parentId)
  return parent ? [...wayTo(items, parent), name] : [name]
}
