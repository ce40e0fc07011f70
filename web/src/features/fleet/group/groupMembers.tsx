import {
  addMembers,
  dropMembers,
  getMachineGroup,
  type GroupDetail,
  listGroupMachines,
  listMachineGroups,
} from '@aisle/contract/fleet/group'
import { listMachines, machineCategories } from '@aisle/contract/fleet/machine'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { useDeferredValue, useId, useState } from 'react'
import { Failure } from '../../../admin/failure'
import { countText } from '../../../admin/fields/number'
import { refetch, useCommand, useEndpoint } from '../../../live/query'
import { can } from '../../../live/session'
import { Section } from '../../../ui/feedback/drawer'
import { toast } from '../../../ui/feedback/notice'
import { ShortList } from '../../../ui/shortList'
import { useText } from '../../../ui/text'
import styles from './groupMembers.module.css'

const SHOWN = 50
const memberships = ['in', 'out'] as const
type Membership = (typeof memberships)[number]
const changed = [listGroupMachines, listMachineGroups, getMachineGroup, listMachines] as const

/** Machines are found by filter and put in or taken out: those that are ticked, or all that were found. */
export function GroupMembers({ group: { id, machineCount } }: { group: GroupDetail }) {
  const t = useText('fleet')
  const [membership, setMembership] = useState<Membership>(machineCount > 0 ? 'in' : 'out')
  const [text, setText] = useState('')
  const [category, setCategory] = useState('')
  const q = useDeferredValue(text.trim())
  const kind = machineCategories.find((each) => each === category)
  const filter = { membership, ...(q ? { q } : {}), ...(kind ? { category: kind } : {}) }
  const found = useEndpoint(listGroupMachines, { id, pageSize: SHOWN, ...filter }, { errors: 'throw' })
  const whole = useEndpoint(listGroupMachines.count, { id, ...filter }, { errors: 'silent' })
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const common = {
    onSuccess: ({ changed: count }: { changed: number }) => {
      toast('good', t('group.changed', { count }))
      setTicked(new Set())
      return refetch(...changed)
    },
  }
  const adding = useCommand(addMembers, common)
  const dropping = useCommand(dropMembers, common)
  const verb = membership === 'out' ? adding : dropping
  const change = (machines: Parameters<typeof adding.mutate>[0]['machines']) => {
    if (!verb.isPending) verb.mutate({ id, machines })
  }
  const machines = found.data?.items ?? []
  const chosen = machines.filter((each) => ticked.has(each.id)).map((each) => each.id)
  const tick = (one: number, isOn: boolean) =>
    setTicked((before) => new Set([...before].filter((each) => each !== one).concat(isOn ? [one] : [])))
  return (
    <Section title={t('point.tab.machines')}>
      <div className={styles.filters}>
        {memberships.map((each) => (
          <button
            key={each}
            type="button"
            className="btn"
            aria-pressed={membership === each}
            onClick={() => {
              setMembership(each)
              setTicked(new Set())
            }}
          >
            {t(`group.${each}`)}
          </button>
        ))}
        <Search text={text} onText={setText} category={category} onCategory={setCategory} />
      </div>
      {found.error && !found.data && <Failure failure={found.error} retry={() => void found.refetch()} />}
      {found.data && machines.length === 0 && <p className="quiet">{t(`group.none.${membership}`)}</p>}
      <Found machines={machines} ticked={ticked} tick={tick} />
      {can(addMembers.access) && machines.length > 0 && (
        <Verbs
          membership={membership}
          count={chosen.length}
          total={whole.data?.total ?? null}
          isBusy={verb.isPending}
          onTicked={() => change({ machineIds: chosen })}
          onAll={(count) => change({ filter, count })}
        />
      )}
    </Section>
  )
}

type SearchProps = {
  text: string
  onText: (text: string) => void
  category: string
  onCategory: (category: string) => void
}

function Search({ text, onText, category, onCategory }: SearchProps) {
  const t = useText('fleet')
  const kit = useText('admin')
  const id = useId()
  return (
    <>
      <input
        type="search"
        className={styles.search}
        aria-label={t('field.q')}
        placeholder={t('hint.q')}
        maxLength={64}
        value={text}
        onChange={({ target }) => onText(target.value)}
      />
      <label htmlFor={id} className="hidden-text">
        {t('field.category')}
      </label>
      <select id={id} className={styles.search} value={category} onChange={({ target }) => onCategory(target.value)}>
        <option value="">{kit('view.all')}</option>
        {machineCategories.map((each) => (
          <option key={each} value={each}>
            {t(`category.${each}`)}
          </option>
        ))}
      </select>
    </>
  )
}

type Member = OutputOf<typeof listGroupMachines>['items'][number]
type FoundProps = {
  machines: readonly Member[]
  ticked: ReadonlySet<number>
  tick: (id: number, isOn: boolean) => void
}

function Found({ machines, ticked, tick }: FoundProps) {
  return (
    <ShortList
      rows={machines}
      says={({ id, code, name, pointName, city }) => (
        <label className={styles.line}>
          <input
            type="checkbox"
            checked={ticked.has(id)}
            disabled={!can(addMembers.access)}
            onChange={({ target }) => tick(id, target.checked)}
          />
          <span>
            {code} {name}{' '}
            <small className="quiet">
              {pointName} · {city}
            </small>
          </span>
        </label>
      )}
    />
  )
}

type VerbsProps = {
  membership: Membership
  count: number
  /** Null until they are counted, and where too many were found. */
  total: number | null
  isBusy: boolean
  onTicked: () => void
  onAll: (count: number) => void
}

function Verbs({ membership, count, total, isBusy, onTicked, onAll }: VerbsProps) {
  const t = useText('fleet')
  return (
    <div className={styles.verbs}>
      <button type="button" className="btn btn-main" disabled={count === 0 || isBusy} onClick={onTicked}>
        {t(`group.ticked.${membership}`, { count })}
      </button>
      {total !== null && (
        <button type="button" className="btn" disabled={isBusy} onClick={() => onAll(total)}>
          {t(`group.all.${membership}`, { count: countText(total) })}
        </button>
      )}
    </div>
  )
}
